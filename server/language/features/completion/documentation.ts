/** Makes the documentation of a completion item when it is selected. */
import { functionDocumentation } from '../functions/function-text.ts'
import { assetCard } from '../hover/asset-card.ts'
import { aboutOrigin } from '../hover/column-card.ts'
import type { Knowledge } from '../knowledge.ts'
import type { CompletionSubject } from './completion.ts'

/** Returns Markdown; undefined if there is none. */
export function documentationOf(knowledge: Knowledge, about: CompletionSubject): string | undefined {
  switch (about.kind) {
    case 'asset': {
      const asset = knowledge.project.byName.get(about.name)
      return asset && assetCard(knowledge, asset)
    }
    case 'function': {
      const described = knowledge.functions.get(about.name)
      return described && functionDocumentation(described)
    }
    case 'column':
      return aboutOrigin(knowledge, about).join('\n\n') || undefined
  }
}
