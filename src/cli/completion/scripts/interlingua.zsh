#compdef interlingua
# Completion of interlingua for zsh
_interlingua() {
  local -a described
  local line word
  for line in "${(@f)$(interlingua __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word=${${line%%$'\t'*}//:/\\:}
    case $line in
      :files) _files ;;
      :directories) _files -/ ;;
      *$'\t'*) described+=("$word:${line#*$'\t'}") ;;
      ?*) described+=("$word") ;;
    esac
  done
  (( $#described )) && _describe interlingua described
}
if [[ $funcstack[1] == _interlingua ]]; then _interlingua; else compdef _interlingua interlingua; fi
