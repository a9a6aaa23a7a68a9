import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';

/** The script for a shell; it asks the hidden command `complete` at each Tab. */
export function completionScript(shell: string): string {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script !== undefined) return script;
  const near = nearest(shell, SHELLS);
  throw new UserError('UNKNOWN_SHELL', `There is no completion for the shell "${shell}".`, {
    hint: near ? `Did you mean "${near}"?` : `Choose one of: ${SHELLS.join(', ')}.`,
  });
}

/**
 * bash takes words apart at `:` and `=` and replaces only the last piece, so words are put together again here and the
 * pieces before the last are cut off. No eval: what stands on the line is never run.
 */
const BASH = `# bash completion of webhook-replay
_webhook_replay() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() count=-1 i
  line=\${line#"\${COMP_WORDS[0]}"}
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if ((count < 0)) || [[ $line == [[:space:]]* ]]; then
      line=\${line#"\${line%%[![:space:]]*}"}
      count=$((count + 1))
      words[count]=
    fi
    words[count]+=\${COMP_WORDS[i]}
    line=\${line#"\${COMP_WORDS[i]}"}
  done
  local current=\${words[count]#[\\"\\']} quoted= head= until_equals= value
  [[ $current == "\${words[count]}" ]] || quoted=1
  words[count]=$current
  if [[ -z $quoted ]]; then
    [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && head=\${current%"\${current##*:}"}
    [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && until_equals=\${current%"\${current##*=}"}
    ((\${#until_equals} > \${#head})) && head=$until_equals
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "\${current#"$head"}")
        ;;
      :nospace) compopt -o nospace 2>/dev/null ;;
      *)
        value=\${line%%$'\\t'*}
        [[ -n $quoted ]] || printf -v value %q "$value"
        COMPREPLY+=("\${value#"$head"}")
        ;;
    esac
  done < <("$1" complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _webhook_replay webhook-replay
`;

const ZSH = `#compdef webhook-replay
# zsh completion of webhook-replay: in a folder of $fpath as _webhook-replay, or read after compinit
_webhook_replay() {
  local line files=
  local -a values nospace
  for line in "\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      (:files) files=1 ;;
      (:nospace) nospace=(-S '') ;;
      ('') ;;
      (*$'\\t'*) values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      (*) values+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( \${#values} )) && _describe webhook-replay values "\${nospace[@]}"
  [[ -n $files ]] && _files
  return 0
}
if [[ \${funcstack[1]} == _webhook[-_]replay ]]; then
  _webhook_replay "$@"
else
  compdef _webhook_replay webhook-replay
fi
`;

const FISH = `# fish completion of webhook-replay
function __webhook_replay_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':nospace'
                # fish itself adds no space behind a colon, a slash or an equals sign.
            case '*'
                echo $line
        end
    end
end
complete -c webhook-replay -f -a '(__webhook_replay_complete)'
`;

const PWSH = `# PowerShell completion of webhook-replay
Register-ArgumentCompleter -Native -CommandName webhook-replay -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition })
    $words = @($elements | Select-Object -Skip 1 | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    # An empty word may get lost on its way to the program.
    $next = if ($wordToComplete -eq '') { @('--next') } else { @() }
    & $elements[0].Extent.Text complete @next '--' @words 2>$null | Where-Object { $_ -and -not $_.StartsWith(':') } | ForEach-Object {
        $value, $description = $_ -split "\`t", 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH, pwsh: PWSH, powershell: PWSH };

export const SHELLS = ['bash', 'zsh', 'fish', 'pwsh'] as const;
