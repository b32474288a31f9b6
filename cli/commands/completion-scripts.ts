/**
 * The completion scripts for shells: each calls `svc __complete <words>`, which prints
 * `value<TAB>description` per line.
 */

/** Bash splits words at `:` and `=` too, and replaces only the text after the last of them. */
const bash = `# Completion of svc for bash: source this file, for example in ~/.bashrc.
_svc_completion() {
  local line="\${COMP_LINE:0:COMP_POINT}" current reply prefix
  local -a words found
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r reply _; do
    if [[ "$reply" == ":files" ]]; then
      while IFS= read -r reply; do found+=("$reply"); done < <(compgen -f -- "$current")
      compopt -o filenames 2> /dev/null
    else
      found+=("$reply")
    fi
  done < <("\${words[0]}" __complete -- "\${words[@]:1}" 2> /dev/null)
  prefix="\${current%"\${current##*[:=]}"}"
  for reply in "\${found[@]}"; do COMPREPLY+=("\${reply#"$prefix"}"); done
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *: ]]; then compopt -o nospace 2> /dev/null; fi
}
complete -F _svc_completion svc
`

const zsh = `#compdef svc
# Completion of svc for zsh: put this file as _svc into a folder of $fpath, or source it after compinit.
_svc() {
  local line value
  local -a described
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,$CURRENT]}" 2> /dev/null)}"; do
    value="\${line%%$'\\t'*}"
    if [[ "$value" == ":files" ]]; then
      _files
    elif [[ -n "$value" ]]; then
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#described} )) && _describe svc described
}
if [[ "\${funcstack[1]}" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`

const fish = `# Completion of svc for fish: save as ~/.config/fish/completions/svc.fish
function __svc_completion
    set -l words (commandline -opc)
    for line in ($words[1] __complete -- $words[2..-1] (commandline -ct) 2> /dev/null)
        if test "$line" = ":files"\\t
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c svc -f -a '(__svc_completion)'
`

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish }
