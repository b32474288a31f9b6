/**
 * Parses the text of a `.svc` file. It never throws: missing keys get defaults and errors become diagnostics.
 * It uses this file alone; a problem that involves others is found by a check.
 */

import type { Engine } from '../engines/engine.ts'
import { ownTemplate } from '../own-tests/own-template.ts'
import type { OwnTests } from '../own-tests/own-test.ts'
import { type PythonBlock, pythonBlock } from '../python/python-block.ts'
import { assetShape, assetShapeWith } from '../schema/asset-schema.ts'
import type { AssetDefinition, Ingest, TestDefinition } from '../schema/definition.ts'
import { refuse } from '../schema/read-scalar.ts'
import { readTests } from '../schema/read-tests.ts'
import { defaultsOf, type Reading, readValue, type Values } from '../schema/read-value.ts'
import type { ObjectShape } from '../schema/shape.ts'
import { isTestKey } from '../schema/test-schema.ts'
import { forEachOf } from '../sources/index.ts'
import type { Node, ScalarNode } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import { scanTemplate } from '../syntax/scan-template.ts'
import { type SqlTemplate, withNested } from '../syntax/template.ts'
import { parseYaml } from '../syntax/yaml.ts'
import { isOwnTest, testKindOf } from '../tests/index.ts'
import { testTarget } from '../tests/target.ts'
import type { Range } from '../text/range.ts'
import { type AssetSettings, inheritedBy } from './folder-defaults.ts'
import { locate, nodeAt } from './locate.ts'
import type { Asset, Hash, Hook, Ref } from './project.ts'
import { readWith } from './read-with.ts'
import { diagnosticsOf } from './read-yaml.ts'

/** Parses a file. `path` is relative to the project's root, with forward slashes. */
export function parseAsset(path: string, text: string, settings: AssetSettings, hash: Hash): Asset {
  const { engine, defaults, ownTests } = settings
  const { root, problems: syntaxProblems } = parseYaml(text)
  const inherited = inheritedBy(defaults, path)
  const reading: SqlFileReading = {
    text,
    engine,
    problems: [...syntaxProblems],
    ...(inherited !== undefined && { inherited: inheritableBy(root, inherited.values) }),
  }
  const values = readRoot(reading, root, assetShapeWith(ownTests.byName), syntaxProblems.length > 0)
  const name = values['name'] === '' || values['name'] === undefined ? stemOf(path) : String(values['name'])
  const definition = definitionOf(values, name, ownTests)
  const sql = templateOf(reading, sqlNode(root, ['transform']))
  const python = pythonBlock(text, root)
  const testSql = testTemplates(reading, root, definition.tests, settings)
  const read = readWith(path, ownTestsNamed(root, definition.tests), settings)
  const hooks = hooksOf(reading, root)
  return {
    path,
    text,
    textHash: hash(text),
    tree: root,
    name,
    definition,
    sql,
    ...(python !== undefined && { python, hasPython: true }),
    testSql,
    hooks,
    ...(inherited !== undefined && { inherited }),
    ...(read !== '' && { readWith: read }),
    refs: [
      ...pythonRefs(python),
      ...sourceRefs(text, root, definition),
      ...keyRefs(text, root, definition),
      ...hooks.flatMap(({ template }) => templateRefs(template, 'transform')),
      ...refsOf(text, root, definition, sql, testSql),
    ],
    diagnostics: diagnosticsOf(reading, path),
  }
}

/** Returns the name of an asset's file without its ending. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
}

// ---------------------------------------------------------------- definition

function readRoot(reading: Reading, root: Node | undefined, shape: ObjectShape, isBroken: boolean): Values {
  if (root?.kind === 'map') return readValue(reading, shape, root, '') as Values
  if (root === undefined && !isBroken) {
    reading.problems.push({
      code: 'missing-key',
      range: locate({ text: reading.text, tree: undefined }, []),
      message: 'the file is empty: "name", "ingest" and "transform" are missing',
      hint: 'svc create asset <name> writes a file to start from.',
    })
  }
  if (root !== undefined && !isBroken) {
    const message = 'an asset file is a mapping with the keys "name", "ingest" and "transform"'
    refuse(reading, root, message, 'Begin with a line "name: …".', 'wrong-type')
  }
  return defaultsOf(assetShape)
}

/** A contract is about a source: an asset without one inherits none. */
function inheritableBy(root: Node | undefined, values: Values): Values {
  const ingest = nodeAt(root, ['ingest'])
  const type = ingest?.kind === 'map' ? nodeAt(ingest, ['type']) : ingest
  const hasSource = type !== undefined && !(type.kind === 'scalar' && type.value === 'none')
  const { contract: _contract, ...rest } = values
  return hasSource ? values : rest
}

/**
 * Makes the definition. The schema gives every key the type in `AssetDefinition` (a test compares the two);
 * only values that depend on several keys are added here.
 */
function definitionOf(values: Values, name: string, ownTests: OwnTests): AssetDefinition {
  // A rest pattern would give every definition a shape of its own, and whatever reads definitions would be slow.
  const definition = {
    ...values,
    name,
    ingest: ingestOf(values['ingest'] as Values | undefined, name),
    transform: { kind: 'sql' },
    tests: readTests(values['tests'] as readonly (Values | undefined)[], ownTests),
  }
  return definition as unknown as AssetDefinition
}

function ingestOf(values: Values | undefined, name: string): Ingest {
  if (values === undefined || values['type'] === 'none') return { type: 'none' }
  return { credentials: credentialsVariable(name), ...values } as unknown as Ingest
}

/** Returns the default place of an asset's credentials (decisions 1). */
function credentialsVariable(name: string): string {
  return `env:SOURCE__${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}__CREDENTIALS`
}

// ---------------------------------------------------------------- templates and refs

/** Returns the scalar with the SQL, in the short form or under `sql`. */
function sqlNode(root: Node | undefined, path: readonly (string | number)[]): ScalarNode | undefined {
  const node = nodeAt(root, path)
  const inner = node?.kind === 'map' ? nodeAt(node, ['sql']) : node
  const isText = inner?.kind === 'scalar' && typeof inner.value === 'string' && inner.value.trim() !== ''
  return isText ? inner : undefined
}

/** The context for reading a file with SQL in it. */
export interface SqlFileReading extends Reading {
  readonly engine: Engine
}

export function templateOf(reading: SqlFileReading, node: ScalarNode | undefined): SqlTemplate | undefined {
  if (node === undefined) return undefined
  const sql = String(node.value)
  const toFile = scalarPositions(reading.text, node)
  const { tags, problems } = scanTemplate(sql, reading.engine)
  for (const problem of problems)
    reading.problems.push({ ...problem, range: toFile.rangeToOriginal(problem.range) })
  return { text: sql, tags, toFile }
}

function testTemplates(
  reading: SqlFileReading,
  root: Node | undefined,
  tests: readonly TestDefinition[],
  settings: AssetSettings,
): ReadonlyMap<number, SqlTemplate> {
  const templates = new Map<number, SqlTemplate>()
  for (const test of tests) {
    if (testKindOf(test).isQuery !== true) continue
    const template = isOwnTest(test)
      ? ownTemplate({ reading, tree: root, test, settings })
      : templateOf(reading, sqlNode(root, ['tests', test.index]))
    if (template !== undefined) templates.set(test.index, template)
  }
  return templates
}

/** Returns the names of tests of one's own, and names that may be meant as such. */
function ownTestsNamed(root: Node | undefined, tests: readonly TestDefinition[]): readonly string[] {
  const items = nodeAt(root, ['tests'])
  const keys = (items?.kind === 'sequence' ? items.items : []).flatMap(item =>
    item.kind === 'map' ? item.entries.map(({ key }) => String(key.value)) : [],
  )
  const unknown = keys.filter(key => !isTestKey(key))
  return [...new Set([...tests.flatMap(test => (isOwnTest(test) ? [test.test] : [])), ...unknown])].sort()
}

/** Hooks are found in the tree: a wrong value among them does not move the others. */
function hooksOf(reading: SqlFileReading, root: Node | undefined): readonly Hook[] {
  return (['before', 'after'] as const).flatMap(when => {
    const node = nodeAt(root, ['deploy', when])
    const items = node?.kind === 'sequence' ? node.items : node === undefined ? [] : [node]
    return items.flatMap((item, index): Hook[] => {
      const isText = item.kind === 'scalar' && typeof item.value === 'string' && item.value.trim() !== ''
      const template = isText ? templateOf(reading, item) : undefined
      return template === undefined ? [] : [{ when, index, template }]
    })
  })
}

function refsOf(
  text: string,
  root: Node | undefined,
  definition: AssetDefinition,
  sql: SqlTemplate | undefined,
  testSql: ReadonlyMap<number, SqlTemplate>,
): Ref[] {
  const refs = sql === undefined ? [] : templateRefs(sql, 'transform')
  for (const template of testSql.values()) refs.push(...templateRefs(template, 'test'))
  for (const test of definition.tests) {
    const target = testTarget(root, test)
    if (target === undefined) continue
    refs.push(refAtStart(text, target.node, target.asset, 'test'))
  }
  return refs
}

/** The asset of `for_each`, in the short form or under `asset`. */
function sourceRefs(text: string, root: Node | undefined, { ingest }: AssetDefinition): Ref[] {
  const forEach = forEachOf(ingest)
  if (forEach === undefined) return []
  const written = nodeAt(root, ['ingest', 'for_each'])
  const node = written?.kind === 'map' ? nodeAt(written, ['asset']) : written
  if (node?.kind !== 'scalar' || forEach.asset === '') return []
  return [refAtStart(text, node, forEach.asset, 'source')]
}

/** A table is made after those that its foreign keys name; a key may name its own. */
function keyRefs(text: string, root: Node | undefined, { name, contract }: AssetDefinition): Ref[] {
  return (contract?.constraints?.foreignKeys ?? []).flatMap(({ references }, index) => {
    const node = nodeAt(root, ['contract', 'constraints', 'foreign_keys', index, 'references'])
    if (node?.kind !== 'scalar' || references === '' || references === name) return []
    return [refAtStart(text, node, references, 'transform')]
  })
}

/** Makes a ref whose name is how a scalar begins. */
function refAtStart(text: string, node: ScalarNode, name: string, from: Ref['from']): Ref {
  const range = scalarPositions(text, node).rangeToOriginal({ start: 0, end: name.length })
  return { name, range, from }
}

function pythonRefs(python: PythonBlock | undefined): Ref[] {
  return (python?.scan.refs ?? []).map(({ name, nameRange }) => ({
    name,
    range: python?.toFile.rangeToOriginal(nameRange) ?? nameRange,
    from: 'transform',
  }))
}

function templateRefs(template: SqlTemplate, from: Ref['from']): Ref[] {
  return withNested(template.tags).flatMap(tag =>
    tag.kind === 'ref' ? [new LazyRef(template, tag.name, tag.nameRange, from)] : [],
  )
}

/** A value that an asset gives to a test is in its own file. */
function isElsewhere({ elsewhere, toFile }: SqlTemplate, range: Range): boolean {
  return elsewhere !== undefined && toFile.rangeToOriginal(range).start === elsewhere.use.start
}

/**
 * A ref whose place in the file is computed on demand, since most refs are never shown. This is a class because an object
 * literal with an accessor has no shape that others share, so that whatever reads its name is slow.
 */
class LazyRef implements Ref {
  readonly name: string
  readonly from: Ref['from']
  readonly isElsewhere?: true
  readonly #template: SqlTemplate
  readonly #nameRange: Range
  #range: Range | undefined

  constructor(template: SqlTemplate, name: string, nameRange: Range, from: Ref['from']) {
    this.name = name
    this.from = from
    if (isElsewhere(template, nameRange)) this.isElsewhere = true
    this.#template = template
    this.#nameRange = nameRange
  }

  get range(): Range {
    this.#range ??= this.#template.toFile.rangeToOriginal(this.#nameRange)
    return this.#range
  }
}
