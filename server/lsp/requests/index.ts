/** All features. One is a file beside these and a line here. */
import type { Feature } from '../feature.ts'
import { completionFeature } from './completion.ts'
import { extensionFeature } from './extension-requests.ts'
import { formattingFeature } from './formatting.ts'
import { definitionFeature, highlightFeature, referencesFeature } from './navigation.ts'
import { fileOperationsFeature, renameFeature } from './rename.ts'
import { signatureFeature } from './signature-help.ts'

export const features: readonly Feature[] = [
  completionFeature,
  signatureFeature,
  definitionFeature,
  referencesFeature,
  highlightFeature,
  renameFeature,
  fileOperationsFeature,
  formattingFeature,
  extensionFeature,
]
