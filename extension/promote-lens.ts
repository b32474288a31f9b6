/** The lens "Promote preview" above an asset whose newest build is a preview. */
import { CodeLens, EventEmitter, languages, Range } from 'vscode'
import type { Services } from './commands/command.ts'
import { commandIds, languageId } from './contributions.ts'
import { waitingPreview } from './runs.ts'

export function showPromoteLens({ context, projects, environments, history }: Services): void {
  const changes = new EventEmitter<void>()
  const changed = () => changes.fire()
  context.subscriptions.push(
    changes,
    history.onDidChange(changed),
    environments.onDidChange(changed),
    languages.registerCodeLensProvider(
      { language: languageId, scheme: 'file' },
      {
        onDidChangeCodeLenses: changes.event,
        async provideCodeLenses(document) {
          const uri = document.uri.toString()
          await projects.loaded
          const located = projects.assetOf(uri)
          if (located === undefined) return []
          const { root } = located.project
          const runs = await history.runsOf(root)
          const { name } = located.asset
          if (waitingPreview(runs, environments.of(root), name) === undefined) return []
          const line = lineOfName(document.getText())
          const command = {
            title: 'Promote preview',
            command: commandIds.promote,
            arguments: [{ asset: name, uri }],
          }
          return [new CodeLens(new Range(line, 0, line, 0), command)]
        },
      },
    ),
  )
}

/** Returns the line of the server's other lenses. */
function lineOfName(text: string): number {
  const line = text.split('\n').findIndex(each => /^name\s*:/.test(each))
  return Math.max(0, line)
}
