# Completion of interlingua for bash
_interlingua() {
  local current=${COMP_WORDS[COMP_CWORD]} line path word width=0
  local -a lines=()
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :directories)
        compopt -o filenames 2>/dev/null
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -"${line:1:1}" -- "$current") ;;
      *)
        word=${line%%$'\t'*}
        ((${#word} > width)) && width=${#word}
        lines+=("$line") ;;
    esac
  done < <(interlingua __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Only where they are listed, by a second Tab, nothing is inserted: there each gets a line with its help.
  local room=$((${COLUMNS:-80} - width - 4))
  for line in "${lines[@]}"; do
    word=${line%%$'\t'*}
    if [[ ${COMP_TYPE-} != 63 || ${#lines[@]} -lt 2 || $line != *$'\t'* || $room -lt 10 ]]; then
      COMPREPLY+=("$word")
    else
      printf -v line "%-${width}s  %-${room}.${room}s" "$word" "${line#*$'\t'}"
      COMPREPLY+=("$line")
    fi
  done
}
complete -F _interlingua interlingua
