/**
 * YAML of a dbt project with the place of every value. dbt reads YAML 1.1 with anchors and merged mappings, which
 * the parser of .svc files does not take.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml'
import { SvcError } from '../../errors.ts'
import type { Site, Template } from '../jinja/problem.ts'
import { placeOf } from './place.ts'

/** What was asked of a file: the pairs of keys and values that were read. */
type Reading = { readonly document: Document<ParsedNode>; readonly read: Set<unknown> }

/** A key of a file that nothing has asked for. */
export interface Unread {
  readonly key: string
  readonly at: Site
  /** The key above it, as `columns`. */
  readonly of: string | undefined
}

export class Part {
  readonly template: Template
  readonly at: number
  readonly #reading: Reading
  readonly #node: Node | undefined

  constructor(template: Template, reading: Reading, node: unknown, at: number) {
    const { document } = reading
    this.template = template
    this.#reading = reading
    this.#node = isNode(node) ? resolved(node, document) : undefined
    this.at = isNode(node) && node.range ? node.range[0] : at
  }

  get site(): Site {
    return { template: this.template, at: this.at }
  }

  get isMap(): boolean {
    return isMap(this.#node)
  }

  get isList(): boolean {
    return isSeq(this.#node)
  }

  /** Returns the value of a key; undefined if there is none or it is empty. */
  get(key: string): Part | undefined {
    const value = this.written(key)
    return value === undefined || value.isNothing ? undefined : value
  }

  /** Returns the value of a key, also an empty one; undefined if the key is not there. */
  written(key: string): Part | undefined {
    return this.entries().find(each => each.key === key)?.value
  }

  /** Takes all of it for read: what is told of the whole is told of each key. */
  settle(): void {
    this.data()
  }

  /** The keys in it whose values nobody has read; of one that is not read, none of those below. */
  unread(of?: string): readonly Unread[] {
    if (isSeq(this.#node)) return this.items().flatMap(each => each.unread(of))
    return this.#pairs().flatMap(({ key, at, pair, value }): readonly Unread[] => {
      if (value.isNothing) return []
      return this.#reading.read.has(pair) ? value.unread(key) : [{ key, at, of }]
    })
  }

  get isNothing(): boolean {
    return this.#node === undefined || (isScalar(this.#node) && this.#node.value === null)
  }

  /** The text of a scalar as it is written; undefined for a list or a mapping. */
  get text(): string | undefined {
    if (!isScalar(this.#node) || this.#node.value === null) return undefined
    const { value, source } = this.#node
    if (typeof value === 'string') return value
    if (isLetter(value, source)) return source
    return typeof value === 'boolean' ? (value ? 'true' : 'false') : (source ?? String(value))
  }

  /** A single value is a list of one. */
  items(): readonly Part[] {
    if (!isSeq(this.#node)) return this.isNothing ? [] : [this]
    return this.#node.items.map(item => this.#part(item))
  }

  /** A value is read when somebody takes it; whether it is a mapping is seen before. */
  entries(): readonly {
    readonly key: string
    readonly at: Site
    readonly isMap: boolean
    readonly value: Part
  }[] {
    const { read } = this.#reading
    return this.#pairs().map(({ key, at, pair, value }) => ({
      key,
      at,
      isMap: value.isMap,
      get value() {
        read.add(pair)
        return value
      },
    }))
  }

  #pairs(): readonly {
    readonly key: string
    readonly at: Site
    readonly pair: unknown
    readonly value: Part
  }[] {
    if (!isMap(this.#node)) return []
    return this.#node.items.flatMap(pair => {
      const { key, value } = pair
      // A folder may be called "off" or "yes", which YAML 1.1 takes for a boolean.
      const name = isScalar(key) ? String(key.source ?? key.value ?? '') : ''
      const place = isNode(key) && key.range ? key.range[0] : this.at
      const part = new Part(this.template, this.#reading, value, place)
      if (name === '<<') return [part, ...part.items()].flatMap(each => each.#pairs())
      return [{ key: name, at: { template: this.template, at: place }, pair, value: part }]
    })
  }

  /** Lists, mappings (as `Map`) and single values; a date is its text. */
  data(): unknown {
    if (isSeq(this.#node)) return this.items().map(each => each.data())
    if (isMap(this.#node)) return new Map(this.entries().map(({ key, value }) => [key, value.data()]))
    if (!isScalar(this.#node)) return null
    const { value, source } = this.#node
    if (isLetter(value, source)) return source
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
    return typeof value === 'number' ? value : (source ?? String(value))
  }

  #part(node: unknown): Part {
    return new Part(this.template, this.#reading, node, this.at)
  }
}

/** `y` and `n` are booleans of YAML 1.1, but not of the library that dbt reads it with. */
function isLetter(value: unknown, source: string | undefined): source is string {
  return typeof value === 'boolean' && source?.length === 1
}

function resolved(node: Node, document: Document<ParsedNode>): Node | undefined {
  return isAlias(node) ? (node as Alias).resolve(document) : node
}

/**
 * The library that dbt reads YAML with lets a text in quotes go on in a line that stands as far left as it likes. Such an end of a line
 * becomes a blank, so that all places stay.
 */
function leniently(text: string): Document<ParsedNode> {
  const options = { version: '1.1', uniqueKeys: false, prettyErrors: false } as const
  let joined = text
  for (;;) {
    const document = parseDocument(joined, options)
    const [error] = document.errors
    const at = error?.pos[0] ?? 0
    if (error?.code !== 'MISSING_CHAR' || joined[at] !== '\n') return document
    joined = `${joined.slice(0, at)} ${joined.slice(at + 1)}`
  }
}

/** Throws SvcError `invalid-project` for what is no YAML. */
export function parseYamlFile(template: Template): Part {
  const document = leniently(template.text)
  const [error] = document.errors
  if (error !== undefined) {
    throw new SvcError('invalid-project', `${template.path} is no YAML: ${error.message}`, {
      place: placeOf({ template, at: error.pos[0] }),
      hint: 'dbt cannot read it either: put it right, then import again. Nothing was written.',
    })
  }
  return new Part(template, { document, read: new Set() }, document.contents, 0)
}
