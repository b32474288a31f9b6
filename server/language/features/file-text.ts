/** Returns the text and tree of a file: an asset, `svc.yaml` or `glossary.yaml`. */
import { glossaryPath } from '../glossary/glossary.ts'
import { settingsPath } from '../project/parse-settings.ts'
import { assetShapeWith } from '../schema/asset-schema.ts'
import { glossaryShape } from '../schema/glossary-schema.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import type { ObjectShape } from '../schema/shape.ts'
import type { Node } from '../syntax/node.ts'
import type { Knowledge } from './knowledge.ts'

export interface FileText {
  readonly text: string
  readonly tree: Node | undefined
  readonly shape: ObjectShape
}

/** Returns the text of any of these files, or of a file of macros or of a test of one's own. */
export function textAt(knowledge: Knowledge, path: string): string | undefined {
  const { macros, settings } = knowledge.project
  const plain = macros.files.get(path) ?? settings.ownTests.files.get(path)
  return (plain ?? fileText(knowledge, path))?.text
}

export function fileText(knowledge: Knowledge, path: string): FileText | undefined {
  const { project, glossary } = knowledge
  if (path === settingsPath)
    return project.settings.file && { ...project.settings.file, shape: settingsShape }
  if (path === glossaryPath) return glossary.file && { ...glossary.file, shape: glossaryShape }
  const asset = project.assets.get(path)
  const shape = assetShapeWith(project.settings.ownTests.byName)
  return asset && { text: asset.text, tree: asset.tree, shape }
}
