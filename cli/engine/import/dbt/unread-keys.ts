/** Keys of the files of a dbt project that nothing here has read: each is told, so that none is lost in silence. */
import type { DbtProject } from './dbt-project.ts'
import type { Part } from './yaml-part.ts'

/** These are about dbt itself, or say where files are, which were found. */
const aboutDbt = [
  ...'version config-version require-dbt-version clean-targets target-path log-path profile name flags'.split(
    ' ',
  ),
  ...'packages-install-path dbt-cloud model-paths source-paths seed-paths data-paths test-paths'.split(' '),
  ...'macro-paths snapshot-paths analysis-paths docs-paths asset-paths function-paths'.split(' '),
]

/** What is described here and comes over in another way, or in none. */
const kinds: Readonly<Record<string, string>> = {
  macros: 'Calls of macros are unrolled: what describes them has no place.',
  analyses: 'Their SQL may be run by a client of the warehouse; what others read is an asset.',
}

const sections = 'models seeds sources snapshots tests data_tests exposures'.split(' ')

/** What a profile says of the warehouse beside its address, and tables or names may depend on. */
const ofProfile: Readonly<Record<string, string>> = {
  attach: 'A table of another database is a source: ingest: {type: sql, endpoint: …}.',
  extensions: 'Name those that functions are needed of under extensions of svc.yaml.',
  settings: 'Look whether the SQL depends on one of them.',
  search_path: 'Names without a schema are looked for in the pg_catalog alone.',
  filesystems: 'Files that are elsewhere are sources: docs/sources.md.',
  secrets: 'Secrets are variables of the environment: docs/sources.md.',
  plugins: 'What a plugin reads has to come as a file or from a database.',
}

/** Of a warehouse that svc does not read, the whole profile is told with the sources. */
function noteProfile({ notes, profile }: DbtProject): void {
  const { settings, isReadable } = profile
  if (settings === undefined) return
  for (const key of idleInProfile) settings.written(key)?.settle()
  if (!isReadable) settings.settle()
  for (const { key, at, of } of settings.unread()) {
    const hint = Object.hasOwn(ofProfile, key) ? ofProfile[key] : undefined
    const what = of === undefined ? `"${key}" of the profile` : `"${key}" of ${of} of the profile`
    notes.add(hint === undefined ? 'left_out' : 'changed', at, what, { hint })
  }
}

/** The address, and how many things dbt does at once and how it waits for a connection. */
const idleInProfile = [
  ...'threads connect_timeout retries keepalives_idle schema database catalog dbname host port user'.split(
    ' ',
  ),
  ...'username password pass path sslmode server'.split(' '),
]

/** After everything else has been read. */
export function noteUnread(project: DbtProject): void {
  const { notes, index, packages } = project
  noteProfile(project)
  const files: Part[] = [...packages.map(({ settings }) => settings), ...index.files]
  for (const file of files) {
    for (const key of aboutDbt) file.written(key)?.settle()
    for (const { key, at, of } of file.unread()) {
      // Defaults of a kind of which the project has nothing.
      if (of === undefined && sections.includes(key)) continue
      const what = of === undefined ? `"${key}"` : `"${key}" of ${of}`
      notes.add('left_out', at, what, { hint: of === undefined ? kinds[key] : undefined })
    }
  }
}
