/**
 * Finds calls in SQL of a patch of which nothing is known: functions of an extension that is not the engine's own. Who lists
 * an extension in svc.yaml trusts its functions in SQL that people write, which is not to say in that of a model. What known
 * functions do is a diagnostic of the SQL itself (`sql-reaches-out`).
 */
import {
  type Asset,
  type Engine,
  type Glossary,
  placeAt,
  type SqlTemplate,
  templatesOf,
  testConditions,
} from '@svc/server/language'
import { type PatchRefusal, refusal } from './problem.ts'

export function unknownCalls(asset: Asset, engine: Engine): PatchRefusal[] {
  const templates = templatesOf(asset)
  const conditions = asset.definition.tests.flatMap(test =>
    testConditions(test).map(({ key, sql }) => ({ sql, place: `/tests/${test.index}/${key}` })),
  )
  return [
    ...templates.flatMap(template => inTemplate(asset, template, engine)),
    ...conditions.flatMap(({ sql, place }) =>
      callsOf(sql, engine).map(({ name }) => told(asset.path, place, name)),
    ),
  ]
}

export function unknownCallsOfMetrics(path: string, { metrics }: Glossary, engine: Engine): PatchRefusal[] {
  return metrics.flatMap(({ expression = '', index }) =>
    callsOf(expression, engine).map(({ name }) => told(path, `/metrics/${index}/sql_definition`, name)),
  )
}

function inTemplate(asset: Asset, { text, toFile }: SqlTemplate, engine: Engine): PatchRefusal[] {
  return callsOf(text, engine).map(({ name, start, end }) => {
    return told(
      asset.path,
      placeAt(asset.path, asset.text, toFile.rangeToOriginal({ start, end }).start),
      name,
    )
  })
}

/** From the tokens, so that nothing is missed in SQL that is written in an unusual way. */
function callsOf(sql: string, engine: Engine) {
  const tokens = engine.tokens(sql).filter(({ kind }) => kind !== 'comment')
  return tokens.flatMap(({ kind, start, end }, index) => {
    const next = tokens[index + 1]
    const isCalled = next !== undefined && sql.slice(next.start, next.end) === '('
    if (!isCalled || (kind !== 'word' && kind !== 'quoted')) return []
    const written = sql.slice(start, end)
    const name = engine.fold(kind === 'quoted' ? written.slice(1, -1) : written)
    const isWord = kind === 'word' && (engine.words.keywords.has(name) || engine.types.names.has(name))
    return isWord || engine.functions.effectOf(name) !== undefined ? [] : [{ name, start, end }]
  })
}

function told(path: string, place: string, name: string): PatchRefusal {
  return refusal('patch-sql', {
    path,
    place,
    message: `the SQL calls ${name}(), of which svc does not know what it reads or changes`,
    hint: "In a patch only the engine's own functions and those of its own extensions are called. Write the call by hand.",
  })
}
