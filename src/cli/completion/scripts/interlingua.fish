# Completion of interlingua for fish
function __interlingua_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -e words[1]
  for line in (interlingua __complete $words "$current" 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path "$current"
      case :directories
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c interlingua -f -a '(__interlingua_complete)'
