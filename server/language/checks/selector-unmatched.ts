/** Finds selectors of `svc.yaml` that select no asset: what is to be told of these would never be told. */
import { writtenNames } from '../names/written-names.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Project } from '../project/project.ts'
import { selectAssets } from '../project/selectors.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import type { Diagnostic } from '../text/diagnostic.ts'

/** A project may come to have what nothing is nearly called like; everything else can only be a slip. */
export function unmatchedSelectors(project: Project): readonly Diagnostic[] {
  const { file } = project.settings
  return writtenNames(settingsShape, file?.tree, 'selector').flatMap(({ name, range, path }) => {
    // The schema says what is empty.
    if (name === '') return []
    const selection = selectAssets(project, name)
    if ('names' in selection && selection.names.length > 0) return []
    const { problem, hint, nearest } =
      'names' in selection
        ? {
            problem: `"${name}" selects no asset`,
            hint: 'svc ls SELECTOR shows what is selected.',
            nearest: [],
          }
        : selection
    const isAbsent = nearest !== undefined && nearest.length === 0
    return [
      {
        code: 'selector-unmatched',
        severity: isAbsent ? ('warning' as const) : ('error' as const),
        path: settingsPath,
        range,
        message: `${path.join('.')}: ${problem}`,
        hint,
      },
    ]
  })
}
