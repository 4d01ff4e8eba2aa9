// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of shells.

/** `completion bash|zsh|fish`: a script of the shell, made from the commands themselves. */

import { Argument, Command, type Option } from 'commander'
import { type Subcommand, subcommands } from '../commands.ts'
import { withExamples, wordsOffered } from '../kit/command.ts'
import { isHere } from '../kit/platform.ts'
import { print } from '../kit/print.ts'

/** Words that may follow those of a command; `words` is '' for the program itself. */
type Place = {
  words: string
  next: { word: string; about: string; isOption: boolean }[]
  /** Values behind an option. */
  values: Record<string, readonly string[]>
}

export function completionCommand(): Command {
  const shells = () => new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'])
  const command = new Command('completion')
    .description('Prints a script that completes commands and options.')
    .addArgument(shells())
    .action(async (shell: keyof typeof writers) => {
      const all = await Promise.all(
        subcommands.filter(isUsable).map(async ({ name, summary, load }) => {
          // This command itself would be made without end.
          const loaded =
            name === 'completion' ? new Command(name).addArgument(shells()) : await load()
          return loaded.summary(summary)
        }),
      )
      for (const line of writers[shell](placesOf(all))) print(line)
    })
  return withExamples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/bezant',
    'completion zsh > ~/.zfunc/_bezant',
    'completion fish > ~/.config/fish/completions/bezant.fish',
  ])
}

const isUsable = ({ needs }: Subcommand): boolean => needs === undefined || isHere(needs)

function placesOf(all: readonly Command[]): Place[] {
  const version = { word: '--version', about: 'print the version', isOption: true }
  const help = { ...plain('help'), about: 'show the help of a command' }
  const root = { words: '', next: [...all.map(wordOf), help, version, HELP], values: {} }
  const helped = { words: 'help', next: all.map(wordOf), values: {} }
  return [root, helped, ...all.flatMap((one) => placesIn(one, one.name()))]
}

function placesIn(command: Command, words: string): Place[] {
  const options = [...command.options.map(optionOf), HELP]
  const next = [
    ...command.commands.map(wordOf),
    ...wordsOffered(command).map(offeredWord),
    ...options,
  ]
  const values = Object.fromEntries(
    command.options.flatMap(({ long, argChoices }) =>
      long && argChoices ? [[long, argChoices]] : [],
    ),
  )
  const inner = command.commands.flatMap((one) => placesIn(one, `${words} ${one.name()}`))
  return next.length === 0 ? inner : [{ words, next, values }, ...inner]
}

const HELP = { word: '--help', about: 'show the help', isOption: true }

const plain = (word: string) => ({ word, about: '', isOption: false })
const offeredWord = (word: string) => ({ ...plain(word), isOption: word.startsWith('--') })
const wordOf = (command: Command) => ({ ...plain(command.name()), about: command.summary() })
const optionOf = ({ long, description }: Option) => ({
  word: long ?? '',
  about: description,
  isOption: true,
})

/** Words of a program are letters, digits, dots and dashes; descriptions beside them are quoted. */
const quote = (text: string) => `'${text.replaceAll("'", '’')}'`
const wordsOf = (place: Place) => place.next.map(({ word }) => word).join(' ')

const writers = { bash, zsh, fish }

function bash(places: readonly Place[]): string[] {
  return [
    '_bezant() {',
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= word',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case $word in -*) break ;; esac',
    '    path+=${path:+ }$word',
    '  done',
    '  case "$path:$prev" in',
    ...places.flatMap(({ words, values }) =>
      Object.entries(values).map(
        ([option, list]) =>
          `    ${quote(`${words}:${option}`)}) ` +
          `COMPREPLY=($(compgen -W ${quote(list.join(' '))} -- "$cur")); return ;;`,
      ),
    ),
    '  esac',
    '  while :; do',
    '    case $path in',
    ...places.map(
      (place) =>
        `      ${quote(place.words)}) ` +
        `COMPREPLY=($(compgen -W ${quote(wordsOf(place))} -- "$cur")); return ;;`,
    ),
    '    esac',
    '    [[ $path == *" "* ]] || return',
    '    path=${path% *}',
    '  done',
    '}',
    'complete -o default -F _bezant bezant',
  ]
}

function zsh(places: readonly Place[]): string[] {
  const item = ({ word, about }: Place['next'][number]) =>
    quote(about === '' ? word : `${word}:${about.replaceAll(':', ' ')}`)
  return [
    '#compdef bezant',
    '_bezant() {',
    '  local route= word',
    '  local -a items',
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    '    [[ $word == -* ]] && break',
    '    route+=${route:+ }$word',
    '  done',
    '  case "$route:${words[CURRENT-1]}" in',
    ...places.flatMap(({ words, values }) =>
      Object.entries(values).map(
        ([option, list]) =>
          `    ${quote(`${words}:${option}`)}) compadd -- ${list.join(' ')}; return ;;`,
      ),
    ),
    '  esac',
    '  while :; do',
    '    case $route in',
    ...places.map(
      ({ words, next }) =>
        `      ${quote(words)}) items=(${next.map(item).join(' ')}); ` +
        "_describe 'bezant' items; return ;;",
    ),
    '    esac',
    '    [[ $route == *" "* ]] || { _files; return; }',
    '    route=${route% *}',
    '  done',
    '}',
    'if [[ $funcstack[1] == _bezant ]]; then _bezant "$@"; else compdef _bezant bezant; fi',
  ]
}

function fish(places: readonly Place[]): string[] {
  const lines = places.flatMap(({ words, next, values }) => {
    const [first, ...inner] = words === '' ? [] : words.split(' ')
    const others = next.filter(({ isOption }) => !isOption).map(({ word }) => word)
    const seen = [first, ...inner].filter((word) => word !== undefined)
    const hasSeen = seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const isNext = others.length > 0 ? `not __fish_seen_subcommand_from ${others.join(' ')}` : ''
    const at = words === '' ? '__fish_use_subcommand' : hasSeen
    const condition = quote([at, words === '' ? '' : isNext].filter((part) => part).join('; and '))
    return next.map(({ word, about, isOption }) => {
      const list = values[word]
      const what = isOption ? `-l ${word.slice(2)}` : `-a ${quote(word)}`
      const behind = list ? ` -x -a ${quote(list.join(' '))}` : ''
      const description = about === '' ? '' : ` -d ${quote(about)}`
      const when = isOption ? quote(at) : condition
      return `complete -c bezant -n ${when} ${what}${behind}${description}`
    })
  })
  return ['complete -c bezant -f', ...lines]
}
