# Completion of interlingua for bash
_interlingua() {
  local current=${COMP_WORDS[COMP_CWORD]} line path
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :directories)
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -"${line:1:1}" -- "$current") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(interlingua __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _interlingua interlingua
