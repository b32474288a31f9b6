/** Lists all features. A new feature is a file beside these and a line here. */
import type { Feature } from '../feature.ts'
import { codeActionFeature } from './code-actions.ts'
import { completionFeature } from './completion.ts'
import { extensionFeature } from './extension-requests.ts'
import { formattingFeature } from './formatting.ts'
import { hoverFeature } from './hover.ts'
import { inlayHintFeature } from './inlay-hints.ts'
import { lensFeature } from './lenses.ts'
import { lineageFeature } from './lineage.ts'
import { definitionFeature, highlightFeature, referencesFeature } from './navigation.ts'
import { fileOperationsFeature, renameFeature } from './rename.ts'
import { semanticTokensFeature } from './semantic-tokens.ts'
import { signatureFeature } from './signature-help.ts'
import { foldingFeature, linkFeature, selectionFeature } from './structure.ts'
import { documentSymbolFeature, workspaceSymbolFeature } from './symbols.ts'

export const features: readonly Feature[] = [
  completionFeature,
  hoverFeature,
  signatureFeature,
  definitionFeature,
  referencesFeature,
  highlightFeature,
  codeActionFeature,
  renameFeature,
  fileOperationsFeature,
  documentSymbolFeature,
  workspaceSymbolFeature,
  foldingFeature,
  selectionFeature,
  linkFeature,
  lineageFeature,
  lensFeature,
  inlayHintFeature,
  semanticTokensFeature,
  formattingFeature,
  extensionFeature,
]
