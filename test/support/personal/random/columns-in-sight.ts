/** Mentions of columns: qualified or not, of this query or of one around it, parameters, fields of structs. */
import type { Expression, Field, Kind, Making, Relation, Scope } from './making.ts'
import { written } from './making.ts'

interface Mention {
  readonly field: Field
  readonly relation: Relation | undefined
  /** No other column in sight has the name. */
  readonly isAlone: boolean
}

/** A mention of a column of this kind, if there is one. */
export function mention(making: Making, scope: Scope, kind: Kind): Expression | undefined {
  const { choices } = making
  const inner = mentionsIn(scope)
  const outer = scope.outer === undefined ? [] : outerMentions(scope.outer)
  const found = [...inner, ...inner, ...outer].filter(({ field }) => field.kind === kind)
  if (found.length === 0) return undefined
  return sqlOf(making, choices.pick(found))
}

/** The same, always with the name of its relation, where there is one. */
export function qualifiedMention(
  making: Making,
  relations: readonly Relation[],
  kind: Kind,
): string | undefined {
  const found = mentionsIn({ relations, parameters: [], outer: undefined }).filter(
    ({ field, relation }) => field.kind === kind && relation?.alias !== undefined,
  )
  if (found.length === 0) return undefined
  return sqlOf(making, { ...making.choices.pick(found), isAlone: false }).sql
}

/** Only through names that nothing inside can have too. */
function outerMentions(outer: Scope): readonly Mention[] {
  return mentionsIn(outer)
    .filter(({ relation }) => relation === undefined || /^[tw]\d+$/.test(relation.alias ?? ''))
    .map(each => ({ ...each, isAlone: false }))
}

function mentionsIn(scope: Scope): readonly Mention[] {
  const names = scope.relations.flatMap(({ fields }) => fields.map(({ name }) => name?.toLowerCase()))
  const ofRelations = scope.relations.flatMap(relation =>
    relation.fields.flatMap((field): Mention[] => {
      const isAlone = names.filter(name => name === field.name?.toLowerCase()).length === 1
      const isUsable = field.name !== undefined && (isAlone || isUniqueIn(relation, field.name))
      return isUsable && (isAlone || relation.alias !== undefined) ? [{ field, relation, isAlone }] : []
    }),
  )
  const ofParameters = scope.parameters.map(field => ({ field, relation: undefined, isAlone: true }))
  return [...ofParameters, ...ofRelations]
}

function isUniqueIn(relation: Relation, name: string): boolean {
  return relation.fields.filter(field => field.name?.toLowerCase() === name.toLowerCase()).length === 1
}

function sqlOf(making: Making, { field, relation, isAlone }: Mention): Expression {
  const name = written(making, field.name ?? '')
  const alias = relation?.alias
  const isQualified = alias !== undefined && (!isAlone || making.choices.chance(30))
  return { ...field, sql: isQualified ? `${written(making, alias)}.${name}` : name }
}
