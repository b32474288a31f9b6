/**
 * Decides whether two versions of an asset, a build or a test are the same (decisions 2, "Identity").
 * Everything that affects data counts; descriptions, owners, tags, tests, freshness, exposures, publish
 * targets, layout and comments do not. Each shape is destructured key by key and nothing may be left over: a new key does not
 * compile before it is decided whether it counts.
 */

import type { Engine } from '../engines/engine.ts'
import type { Macro } from '../macros/macro.ts'
import type {
  Constraints,
  Contract,
  ContractColumn,
  Deploy,
  Ingest,
  JsonValue,
  TableContract,
  TableIndex,
  TestDefinition,
} from '../schema/definition.ts'
import { sourceKindOf } from '../sources/index.ts'
import { testConditions } from '../tests/index.ts'
import { compareTexts } from '../text/compare.ts'
import { canonicalSql, canonicalTemplate } from './canonical-sql.ts'
import { counted, type Nothing } from './counted.ts'
import type { Asset, Hash, Hook } from './project.ts'
import { builtTemplates } from './templates.ts'

export type Vars = Readonly<Record<string, JsonValue>>

/**
 * Returns the part of a definition that affects data, as JSON with sorted keys: two levels that a plan can
 * name (`deploy.materialize`), each with its value. It is small enough to be stored with every build. The macros of its SQL
 * are there to be named; their hash is that of the SQL which they become.
 */
export function canonicalDefinition(asset: Asset, engine: Engine, vars: Vars): string {
  const { macros = [] } = asset
  const named = macros.map(macro => [macro.name, canonicalMacro(macro, engine)])
  const identity = identityOf(asset, engine, vars)
  return sortedJson(named.length === 0 ? identity : { ...identity, macros: Object.fromEntries(named) })
}

function canonicalMacro({ text, range, nameRange }: Macro, engine: Engine): string {
  return canonicalSql(text.slice(nameRange.start, range.end), engine)
}

function identityOf(asset: Asset, engine: Engine, vars: Vars) {
  const { ingest, contract, transform, deploy, ...others } = asset.definition
  const { name: _name, description: _text, owner: _owner, tags: _tags, columns: _columns, ...rest } = others
  const {
    tests: _tests,
    freshness: _freshness,
    exposures: _exposures,
    publish: _publish,
    ...forgotten
  } = rest
  forgotten satisfies Nothing
  return {
    ingest: ingestIdentity(ingest),
    contract: contractIdentity(contract, constraintsIdentity(contract?.constraints)),
    transform: transformIdentity(asset, transform.kind, engine),
    deploy: deployIdentity(deploy, asset, engine),
    vars: usedVars(asset, vars),
  }
}

export function definitionHash(asset: Asset, engine: Engine, vars: Vars, hash: Hash): string {
  return hash(`definition\n${sortedJson(identityOf(asset, engine, vars))}`)
}

/** Hashes `ingest` and `contract`, which alone determine a raw load. */
export function rawDefinitionHash(asset: Asset, hash: Hash): string {
  const { ingest, contract } = asset.definition
  return hash(`raw\n${sortedJson({ ingest: ingestIdentity(ingest), contract: contractIdentity(contract) })}`)
}

/** Returns the key of a raw load. `loadId` is the hash of the fetched content. */
export function rawKey(rawDefinition: string, loadId: string, hash: Hash): string {
  return hash(`load\n${rawDefinition}\n${loadId}`)
}

/**
 * Returns the key of a build. `parentKeys` are in the order of the parents' names; `raw` is the asset's own
 * load, if it has a source.
 */
export function buildKey(
  definition: string,
  parentKeys: readonly string[],
  raw: string | undefined,
  hash: Hash,
): string {
  return hash(`build\n${definition}\n${raw ?? '-'}\n${parentKeys.join('\n')}`)
}

/**
 * Hashes the question of a test: its kind, its parameters, its thresholds. Its name, description, tags and
 * place do not count.
 */
export function testHash(
  asset: Asset,
  test: TestDefinition,
  engine: Engine,
  hash: Hash,
  vars: Vars = {},
): string {
  const { name: _name, description: _description, tags: _tags, index, ...question } = test
  const template = asset.testSql.get(index)
  const conditions = testConditions(test).map(({ key, sql }) => [key, canonicalSql(sql, engine)])
  return hash(
    `test\n${sortedJson({
      ...question,
      ...Object.fromEntries(conditions),
      ...(template === undefined
        ? {}
        : { sql: canonicalTemplate(template, engine), vars: pick(vars, varNames(template.tags)) }),
    })}`,
  )
}

/**
 * Returns the names of the keys that differ, two levels deep, sorted: `transform`, `deploy.materialize`,
 * `ingest.endpoint`.
 */
export function changedKeys(before: string, after: string): string[] {
  const old = JSON.parse(before) as Canonical
  const now = JSON.parse(after) as Canonical
  return unionOfKeys(old, now).flatMap(key => {
    const [a, b] = [old[key], now[key]]
    if (sortedJson(a) === sortedJson(b)) return []
    if (!isMapping(a) || !isMapping(b)) return [key]
    return unionOfKeys(a, b)
      .filter(inner => sortedJson(a[inner]) !== sortedJson(b[inner]))
      .map(inner => `${key}.${inner}`)
  })
}

type Canonical = Readonly<Record<string, JsonValue>>

function unionOfKeys(a: Canonical, b: Canonical): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
}

function isMapping(value: JsonValue | undefined): value is Canonical {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// ---------------------------------------------------------------- what counts

function transformIdentity(asset: Asset, kind: 'sql', engine: Engine): JsonValue {
  switch (kind) {
    case 'sql':
      return canonicalTemplate(asset.sql, engine)
  }
}

/** Returns the keys that affect a build; retention, grants and `enabled` do not. */
function deployIdentity(
  {
    materialize,
    schema,
    indexes,
    before: _before,
    after: _after,
    // They hold while a table is made, and change none of its values.
    settings: _settings,
    unlogged,
    tablespace,
    grants: _grants,
    keep: _keep,
    enabled: _enabled,
    kAnonymity: _kAnonymity,
    ...forgotten
  }: Deploy,
  { hooks }: Asset,
  engine: Engine,
): JsonValue {
  forgotten satisfies Nothing
  const hooksOf = (when: Hook['when']) =>
    hooks.filter(hook => hook.when === when).map(({ template }) => canonicalTemplate(template, engine))
  // What has no index and no hook keeps the identity that it had before there were any.
  return counted({
    materialize,
    schema,
    unlogged: unlogged || undefined,
    tablespace,
    indexes: unlessEmpty(indexes.map(index => indexIdentity(index, engine))),
    before: unlessEmpty(hooksOf('before')),
    after: unlessEmpty(hooksOf('after')),
  })
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

function indexIdentity({ columns, unique, method, name, where, ...forgotten }: TableIndex, engine: Engine) {
  forgotten satisfies Nothing
  const condition = where === undefined ? undefined : canonicalSql(where, engine)
  return counted({ columns, unique: unique || undefined, method, name, where: condition })
}

function ingestIdentity(ingest: Ingest): JsonValue {
  return ingest.type === 'none' ? { type: 'none' } : sourceKindOf(ingest).identity(ingest)
}

/**
 * Returns the keys that affect the content of a load; the limit of rejects only decides whether it is
 * accepted. No contract is an open contract.
 */
function contractIdentity(
  contract: Contract = openContract,
  ofTable: JsonValue | undefined = undefined,
): JsonValue {
  const {
    evolution,
    enforceTypes,
    requiredColumns,
    columns,
    tables,
    maxRejects: _maxRejects,
    allowEmpty: _allowEmpty,
    constraints: _constraints,
    ...forgotten
  } = contract
  forgotten satisfies Nothing
  const children = Object.entries(tables).map(([name, table]) => [name, counted(tableIdentity(table))])
  return counted({
    evolution,
    enforceTypes,
    ...tableIdentity({ requiredColumns, columns }),
    // A contract that names no child table keeps the identity that it had before they could be named.
    ...(children.length > 0 && { tables: Object.fromEntries(children) }),
    ...(ofTable !== undefined && { constraints: ofTable }),
  })
}

/** Keys of the built table are no part of a load; they are made with the table. */
function constraintsIdentity(constraints: Constraints | undefined): JsonValue | undefined {
  if (constraints === undefined) return undefined
  const { primaryKey, unique, foreignKeys, ...forgotten } = constraints
  forgotten satisfies Nothing
  if (primaryKey.length + unique.length + foreignKeys.length === 0) return undefined
  const references = foreignKeys.map(({ columns, references, to, ...rest }) => {
    rest satisfies Nothing
    return [columns, references, to]
  })
  return counted({
    primaryKey: unlessEmpty(primaryKey),
    unique: unlessEmpty(unique),
    foreignKeys: unlessEmpty(references),
  })
}

function tableIdentity({ requiredColumns, columns, ...forgotten }: TableContract) {
  forgotten satisfies Nothing
  const described = Object.entries(columns).map(([name, column]) => [name, columnIdentity(column)])
  return { requiredColumns, columns: Object.fromEntries(described) }
}

/** Returns the keys that affect values; descriptions and marks of personal data do not. */
function columnIdentity(column: ContractColumn): JsonValue {
  const { type, nullable, from, description: _text, pii: _pii, ...forgotten } = column
  forgotten satisfies Nothing
  return counted({ type, nullable, from })
}

/** What holds where an asset has no contract. */
export const openContract: Contract = {
  evolution: { tables: 'evolve', columns: 'evolve', types: 'evolve' },
  enforceTypes: false,
  allowEmpty: false,
  requiredColumns: [],
  columns: {},
  tables: {},
}

function usedVars(asset: Asset, vars: Vars): JsonValue {
  return pick(
    vars,
    builtTemplates(asset).flatMap(({ tags }) => varNames(tags)),
  )
}

function varNames(tags: NonNullable<Asset['sql']>['tags']): string[] {
  return tags.flatMap(tag => (tag.kind === 'var' ? [tag.name] : []))
}

function pick(vars: Vars, names: readonly string[]): JsonValue {
  return Object.fromEntries(names.map(name => [name, vars[name] ?? null]))
}

/** Returns JSON that does not depend on the order of keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareTexts(a, b)))
  })
}
