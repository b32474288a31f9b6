/**
 * Evaluates a selector (interface.md 4.4 rule 2, decisions 3). Words separated by commas or spaces form a
 * union, `&` an intersection, `!` excludes. A word is a name, a name with `*` and `?`, or a method and its
 * value; `+` before or after it (with an optional number of steps) adds what is upstream or downstream, `@`
 * adds what is downstream with everything that it reads. It never asks the warehouse: state is passed in.
 */
import { type SelectableProject, type SelectorFacts, selectByMethod } from './select-methods.ts'

export type { SelectableProject, SelectorFacts } from './select-methods.ts'

export type Selection =
  /** The names in build order, parents first. */
  | { readonly names: readonly string[] }
  | {
      readonly problem: string
      readonly hint: string
      /** What is nearly called so, where the word names something that this project may come to have. */
      readonly nearest?: readonly string[]
    }

export function selectAssets(project: SelectableProject, text: string, facts: SelectorFacts = {}): Selection {
  const selected = new Set<string>()
  const excluded = new Set<string>()
  const terms = termsOf(text)
  for (const term of terms) {
    const selection = selectTerm(project, term.words, facts)
    if ('problem' in selection) return selection
    for (const name of selection.names) (term.excludes ? excluded : selected).add(name)
  }
  // If there are only exclusions, everything else is selected.
  const all = terms.every(term => term.excludes)
  return { names: project.order.filter(name => (all || selected.has(name)) && !excluded.has(name)) }
}

/** Returns a selector for `text` without the assets of `excluded`; `text` undefined means all assets. */
export function withoutAssets(text: string | undefined, excluded: string): string {
  const exceptions = termsOf(excluded).map(({ words }) => `!${words.map(quotedWhereNeeded).join('&')}`)
  return [...(text === undefined ? [] : [text]), ...exceptions].join(',')
}

/** Quotes a word if it would otherwise be several words. */
function quotedWhereNeeded(word: string): string {
  if (!/[\s,&]/.test(word)) return word
  return word.replace(
    /^(.*?:)(.*?)(\+\d*)?$/s,
    (_, method, value, sign) => `${method}"${value}"${sign ?? ''}`,
  )
}

/**
 * Splits a selector into terms. `tag:"a b"` is one word: separators inside quotation marks do not count.
 * `words`: the words that must all match.
 */
function termsOf(text: string) {
  return separated(text.trim(), /\s*,\s*|\s*&\s*|\s+/y).map(words => {
    const [first = '', ...rest] = words
    const excludes = first.startsWith('!')
    return { excludes, words: [excludes ? first.slice(1) : first, ...rest] }
  })
}

/** Splits words at separators; those joined by `&` stay together. */
function separated(text: string, separator: RegExp): string[][] {
  const terms: string[][] = []
  let words: string[] = []
  let word = ''
  let quoted = false
  for (let at = 0; at < text.length; ) {
    separator.lastIndex = at
    const between = quoted ? undefined : separator.exec(text)?.[0]
    if (between === undefined) {
      const character = text.charAt(at)
      // Only a value may be quoted; elsewhere the mark is an ordinary character.
      if (character === '"' && (quoted || word.endsWith(':'))) quoted = !quoted && text.includes('"', at + 1)
      else word += character
      at++
      continue
    }
    words.push(word)
    word = ''
    if (!between.includes('&')) {
      terms.push(words)
      words = []
    }
    at += between.length
  }
  return [...terms, [...words, word]]
}

function selectTerm(project: SelectableProject, words: readonly string[], facts: SelectorFacts): Selection {
  let common: Set<string> | undefined
  for (const word of words) {
    const selection = selectWord(project, word, facts)
    if ('problem' in selection) return selection
    const names: readonly string[] = selection.names
    common = new Set(common === undefined ? names : names.filter(name => common?.has(name)))
  }
  return { names: [...(common ?? [])] }
}

/** Selects `@core`, or `+core+` with optional signs and optional numbers of steps. */
function selectWord(project: SelectableProject, word: string, facts: SelectorFacts): Selection {
  const parts = /^(@|(\d{0,6})\+)?(.*?)(\+(\d{0,6}))?$/s.exec(word) ?? []
  const [, before, upstreamSteps, core = '', after, downstreamSteps] = parts
  if (core.trim() === '') {
    return {
      problem: `"${word}" selects nothing`,
      hint: 'Name an asset, as in +orders, or use tag:x, path:glob.',
    }
  }
  const selection = selectByMethod(project, core, facts)
  if ('problem' in selection) return selection
  const names = new Set(selection.names)
  const upstream = (start: Iterable<string>, steps: number) =>
    reach(start, steps, each => project.parents(each))
  const downstream = (steps: number) => reach(selection.names, steps, each => project.children(each))
  if (before === '@') return { names: [...upstream(downstream(everyStep), everyStep)] }
  if (before !== undefined)
    for (const name of upstream(selection.names, stepsOf(upstreamSteps))) names.add(name)
  if (after !== undefined) for (const name of downstream(stepsOf(downstreamSteps))) names.add(name)
  return { names: [...names] }
}

const everyStep = Number.POSITIVE_INFINITY

function stepsOf(digits: string | undefined): number {
  return digits === undefined || digits === '' ? everyStep : Number(digits)
}

/** Returns `start` and everything that is at most `steps` steps of `next` away. */
function reach(
  start: Iterable<string>,
  steps: number,
  next: (name: string) => readonly string[],
): Set<string> {
  const seen = new Set(start)
  let front = [...seen]
  for (let step = 0; step < steps && front.length > 0; step++) {
    const further: string[] = []
    for (const name of front) {
      for (const each of next(name)) {
        if (seen.has(each)) continue
        seen.add(each)
        further.push(each)
      }
    }
    front = further
  }
  return seen
}
