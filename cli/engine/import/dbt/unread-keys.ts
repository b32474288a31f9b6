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

/** After everything else has been read. */
export function noteUnread({ notes, index, packages }: DbtProject): void {
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
