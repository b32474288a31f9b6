/** What is said where `glossary.yaml` names an asset that is not there. */
import { glossaryPath } from '../glossary/glossary.ts'
import { nearestAssets } from '../project/asset-names.ts'
import type { Project } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import { suggestOneOf } from './suggestion.ts'

export function unknownAsset(project: Project, name: string, range: Range): Diagnostic {
  const place = { path: glossaryPath, range }
  return {
    code: 'glossary-unknown-asset',
    severity: 'error',
    ...place,
    message: `no asset is called "${name}"`,
    hint: '"svc ls" lists all assets.',
    ...suggestOneOf(nearestAssets(project, name), place, ''),
  }
}
