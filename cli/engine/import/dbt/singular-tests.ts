/** Tests that are queries: each belongs to the asset that comes last among those it reads. */
import type { JinjaProblem } from '../jinja/problem.ts'
import type { PlainMap } from './asset-draft.ts'
import { described } from './columns.ts'
import { Config, dataValue, setFolderDefaults } from './config.ts'
import { noteUnusedSettings, optionsOf } from './data-tests.ts'
import type { DbtProject } from './dbt-project.ts'
import { rewrittenSql } from './dialect.ts'
import { orProblem, startOf } from './notes.ts'
import { folderPath } from './packages.ts'
import type { DbtIndex } from './project-index.ts'
import { Unrolling } from './unroll.ts'

/** `order`: the assets, each after those that it reads. Returns the asset with its new test. */
export function singularTest(
  project: DbtProject,
  { of, path, properties }: DbtIndex['singularTests'][number],
  order: readonly string[],
): { readonly asset: string; readonly test: PlainMap } | undefined {
  const { notes, files } = project
  const template = files.read(path)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.sql$/i, '')
  const config = new Config()
  const folders = folderPath(of, 'tests', path)
  for (const section of ['tests', 'data_tests']) {
    setFolderDefaults(config, section, of, [...folders, name], project.root, dataValue)
  }
  config.setAll(properties?.get('config'), dataValue)
  const failed = (problem: JinjaProblem) => {
    if (config.flag('enabled') === false) return
    const place = files.has(problem.site.template.path) ? problem.site : (problem.calledAt ?? problem.site)
    const message = `the test ${name} did not come over: ${problem.message}`
    const { hint, shared } = problem
    notes.lost({ kind: 'test', site: place, message, hint, shared, asset: undefined })
  }
  const unrolled = orProblem(() => new Unrolling(project, template, { of, config, name }).sql(), failed)
  if (config.flag('enabled') === false) {
    notes.add('left_out', startOf(template), 'a disabled test')
    return undefined
  }
  if (unrolled === undefined) return undefined
  const asset = order.findLast(each => unrolled.reads.has(each))
  if (asset === undefined) {
    notes.add('todo', startOf(template), `the test ${name} reads no asset, so it belongs to none`, {
      hint: 'Write it into the file of an asset, as a test of kind sql.',
    })
    return undefined
  }
  const { sql } = rewrittenSql(project, unrolled.sql.replaceAll(`{{ ref('${asset}') }}`, '{{ this }}'))
  const subject = { project, of, asset, folders }
  const description = properties === undefined ? undefined : described(subject, properties)
  const options = optionsOf(subject, config)
  noteUnusedSettings(subject, config)
  return { asset, test: { name: name.replace(/\W+/g, '_'), description, sql, ...options } }
}
