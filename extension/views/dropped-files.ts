/** Files that are dropped on the tree of assets: an asset is made from each, as *New Asset from a Source* does. */
import { type DataTransfer, type TreeDragAndDropController, Uri, window } from 'vscode'

/** What is dragged from the editor's own explorer, and from outside of the editor. */
const listed = 'text/uri-list'
const outside = 'files'

/** `take` gets the files and the row on which they were dropped. */
export function droppedFiles<Node>(
  take: (files: readonly Uri[], node: Node | undefined) => Promise<void>,
): TreeDragAndDropController<Node> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [listed, outside],
    async handleDrop(node, transfer) {
      const files = [...(await listedFiles(transfer)), ...outsideFiles(transfer)]
      const byPath = new Map(files.map(file => [file.fsPath, file]))
      if (byPath.size > 0) await take([...byPath.values()], node)
      else void window.showWarningMessage(`SVC: ${unknownPlace}`)
    },
  }
}

const unknownPlace =
  'the editor does not say where the dropped file is. Choose it with the button of New Asset from a Source.'

/** Only files of this computer: `svc` reads them from there. */
async function listedFiles(transfer: DataTransfer): Promise<readonly Uri[]> {
  const text = (await transfer.get(listed)?.asString()) ?? ''
  const uris = text.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  return uris.map(uri => Uri.parse(uri)).filter(({ scheme }) => scheme === 'file')
}

/** A browser tells no path of a file from outside. */
function outsideFiles(transfer: DataTransfer): readonly Uri[] {
  return [...transfer].flatMap(([, item]) => item.asFile()?.uri ?? [])
}
