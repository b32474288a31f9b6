/** The documentation of an item of completion, made when somebody looks at it. */
import { functionDocumentation } from '../functions/function-text.ts'
import { assetCard } from '../hover/asset-card.ts'
import { aboutOrigin } from '../hover/column-card.ts'
import type { Knowledge } from '../knowledge.ts'
import type { CompletionSubject } from './completion.ts'

/** Markdown; undefined: there is nothing to say. */
export function documentationOf(knowledge: Knowledge, about: CompletionSubject): string | undefined {
  switch (about.kind) {
    case 'asset': {
      const asset = knowledge.project.byName.get(about.name)
      return asset && assetCard(knowledge, asset)
    }
    case 'function': {
      const found = knowledge.functions.get(about.name)
      return found && functionDocumentation(found)
    }
    case 'column':
      return aboutOrigin(knowledge, about).join('\n\n') || undefined
  }
}
