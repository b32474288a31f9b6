/**
 * Finds SQL of a patch that would reach out of the warehouse. That it is one SELECT, the checks of the project
 * say; a SELECT can still call functions that read files or secrets.
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

export function reachingOut(asset: Asset, engine: Engine): PatchRefusal[] {
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

export function reachingOutOfMetrics(path: string, { metrics }: Glossary, engine: Engine): PatchRefusal[] {
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
    return engine.functions.reachesOut(name) ? [{ name, start, end }] : []
  })
}

function told(path: string, place: string, name: string): PatchRefusal {
  return refusal('patch-sql', {
    path,
    place,
    message: `the SQL calls ${name}(), which reaches out of the project's data`,
    hint: 'A patch reads the assets that it names with ref(), and nothing else.',
  })
}
