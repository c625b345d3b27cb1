"""Completion for bash of what a tool says of itself: its commands, options, and their values."""
import re
import shlex

# Of an option's argument: names that stand for files and folders.
FILES = re.compile(r"\b(FILE|PATH|PROG|file|folder|overlay\.json|file\.json|TEXT|OUTPUT|CONFIG)\b")

SHELL = r"""# Completion of @NAME@ for bash, made of its help.
@FUNCTION@() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} mode= word
  # '=' is a word of its own; behind it `before` ends with it.
  if [ "$current" = = ]; then current= before+==
  elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}=; fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in @MODES@) mode=$word; break ;; esac
  done
  local options= values= files=
  case $mode in
@CASES@
  esac
  COMPREPLY=()
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$current"))
  else
    case $current in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current"))
      case ${COMPREPLY[0]-} in *=) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace 2>/dev/null ;; esac ;;
    *) COMPREPLY=($(compgen -W "@WORDS@" -- "$current"))
      if [ -z "$mode" ] && [ -n "@WORDS@" ]; then return; fi
      compopt -o filenames 2>/dev/null
      local IFS=$'\n'
      COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
  fi
}
complete -F @FUNCTION@ @NAME@
"""


def names(head):
    """The spellings of an option: "-n,--np N" has -n and --np."""
    return re.findall(r"(?<![\w<=-])(--?[A-Za-z][\w-]*)", re.split(r"\s(?:Needs|Excludes):", head)[0])


def values(head):
    """What may be written behind an option, if the help lists it."""
    listed = re.search(r"\{([\w,.|:-]+)\}", head) or re.search(r"=([\w-]+(?:\|[\w<>-]+)+)", head) \
        or re.search(r"\s([\w-]+(?:\|[\w-]+)+)$", head)
    return [word for word in re.split(r"[,|]", listed[1])
            if "<" not in word and not word.isupper()] if listed else []


def takes_argument(head):
    plain = re.split(r"\s(?:Needs|Excludes):", head)[0]
    plain = re.sub(r"\bREQUIRED\b|\{(?:1|text)\}|\[(?!1)[^\]]*\]|\.\.\.", "", plain)
    return bool(re.sub(r"^(?:[ ,]*--?[A-Za-z][\w-]*)+", "", plain).strip())


def arms(page):
    """The cases of one command: what follows options with an argument, else the options."""
    options, lines = [], []
    for entry in page.entries():
        spelled = names(entry.head) if entry.head.startswith("-") else []
        inline = spelled and f"{spelled[0]}=" in entry.head
        options += [name + "=" if inline else name for name in spelled]
        if not spelled or not takes_argument(entry.head):
            continue
        if words := values(entry.head):
            action = f"values={shlex.quote(' '.join(words))}"
        elif FILES.search(entry.head) or "FILE" in entry.text:
            action = "files=1"
        else:
            action = "return"
        # Behind a blank only if the help does not write it with '='.
        before = [f"{name}=" for name in spelled] + ([] if inline else spelled)
        lines.append(f"    {'|'.join(before)}) {action} ;;")
    unique = " ".join(dict.fromkeys(options))
    return [f"    options={shlex.quote(unique)}", "    case $before in", *dict.fromkeys(lines),
            "    *) ;;", "    esac ;;"]


def write(page):
    """The text of the file."""
    modes = [command.name.split()[-1] for command in page.commands]
    words = " ".join(mode for mode in modes if not mode.startswith("-"))
    cases = ["  '')", *arms(page)]
    for mode, command in zip(modes, page.commands):
        cases += [f"  {mode})", *arms(command)]
    text = SHELL
    for name, value in {"CASES": "\n".join(cases), "MODES": "|".join(modes) or "''",
                        "WORDS": words, "FUNCTION": "_" + page.name.replace("-", "_"),
                        "NAME": page.name}.items():
        text = text.replace(f"@{name}@", value)
    return text
