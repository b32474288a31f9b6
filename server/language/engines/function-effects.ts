/**
 * The effects that a call of a function has beside working out a value from its arguments. Each function of an engine's catalogue is
 * classed once, in the engine's room, and everything that runs SQL of a project asks that one answer: models, tests,
 * metrics, unit tests, patches, samples and agents.
 */
import { wordSet } from '../sql/grammar.ts'

export type FunctionEffect =
  /** It looks at its arguments and at nothing else. */
  | 'pure'
  /** It asks for the time or for chance: unit tests replace it. */
  | 'moment'
  /** It tells who is connected, to what, since when. */
  | 'session'
  /** It reads settings, variables, secrets or the environment. */
  | 'settings'
  /** It reads relations that no tag names, or tells what the database has. */
  | 'relations'
  | 'files'
  | 'network'
  /** It changes something, or holds the session up. */
  | 'writes'
  /** It runs a text as SQL. */
  | 'text'

/** The effects of functions that the SQL of a project may call. The rest reads or does what neither lineage, nor policies, nor masks know of. */
const open: ReadonlySet<FunctionEffect> = new Set(['pure', 'moment', 'session'])

export function isOpen(effect: FunctionEffect): boolean {
  return open.has(effect)
}

/** Names by their effect, parted by white space. `age/1` means calls with one argument, `pragma_*` all names that begin so. */
export type EffectLists = Readonly<Partial<Record<FunctionEffect, string>>>

export interface FunctionEffects {
  /**
   * Returns undefined for a function that is not of the engine's catalogue. Without a number of arguments a name that
   * has several answers has the one that stands for all its forms, if there is any.
   */
  of(name: string, count?: number): FunctionEffect | undefined
  /** Whether a call may differ between runs over the same data; without a number of arguments, in any of its forms. */
  isVolatile(name: string, count?: number): boolean
  /** The names that are not pure in some form, as they are listed: also `age/1` and `pragma_*`. */
  readonly listed: ReadonlyMap<string, FunctionEffect>
}

export function functionEffects(lists: EffectLists): FunctionEffects {
  const exact = new Map<string, FunctionEffect>()
  const families: (readonly [prefix: string, effect: FunctionEffect])[] = []
  const listed = new Map<string, FunctionEffect>()
  for (const [key, names = ''] of Object.entries(lists)) {
    const effect = key as FunctionEffect
    for (const name of wordSet(names)) {
      if (effect !== 'pure') listed.set(name, effect)
      if (name.endsWith('*')) families.push([name.slice(0, -1), effect])
      else exact.set(name, effect)
    }
  }
  const of = (name: string, count?: number) =>
    (count === undefined ? undefined : exact.get(`${name}/${count}`)) ??
    exact.get(name) ??
    families.find(([prefix]) => name.startsWith(prefix))?.[1]
  const isOther = (effect: FunctionEffect | undefined) => effect !== undefined && effect !== 'pure'
  const inSomeForm = new Set([...listed.keys()].map(name => name.replace(/\/\d+$/, '')))
  return {
    of,
    isVolatile: (name, count) => isOther(of(name, count)) || (count === undefined && inSomeForm.has(name)),
    listed,
  }
}

interface EffectWords {
  /** The effect in words, to follow "which". */
  readonly does: string
  /** How the same is done in a project. */
  readonly instead: string
}

const sources =
  'Load them with a source of its own asset (ingest), and read its rows through {{ source }} or {{ ref() }}.'
const tags =
  "SQL reads other assets through {{ ref('name') }} and its own source through {{ source }}; a table of others is a source (ingest: {type: warehouse})."

/** The words for what the SQL of a project may not call. */
export const effectWords: Readonly<
  Record<Exclude<FunctionEffect, 'pure' | 'moment' | 'session'>, EffectWords>
> = {
  settings: {
    does: 'reads settings, variables or secrets of the machine or the session',
    instead: "Write the value as a variable (vars in svc.yaml), and read it through {{ var('name') }}.",
  },
  relations: { does: 'reads what the database has, though no ref() names it', instead: tags },
  files: { does: 'reads or writes files', instead: sources },
  network: { does: 'reads over the network', instead: sources },
  writes: {
    does: 'changes something, or holds the session up',
    instead: 'A statement that changes something is one of deploy.before or deploy.after.',
  },
  text: {
    does: 'runs a text as SQL',
    instead:
      'Write that SQL itself, so that what it reads is known before it runs; a macro (macros/) holds what repeats.',
  },
}

export function wordsOf(effect: FunctionEffect): EffectWords | undefined {
  return effect in effectWords ? effectWords[effect as keyof typeof effectWords] : undefined
}
