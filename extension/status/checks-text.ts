/** What the status bar says of the checks of files. Independent of the editor. */

export interface ChecksText {
  readonly text: string
  readonly tooltip: string
  /** `restart`: nobody checks the files, and a click starts the language server again. */
  readonly leadsTo: 'restart' | 'problems'
}

export interface ChecksState {
  /** Whether the language server has crashed too often and is not being started again. */
  readonly isDown: boolean
  readonly checking: readonly { readonly done: number; readonly of: number }[]
}

/** Returns nothing while all files are checked: the counts of problems are in the editor's own item. */
export function checksText({ isDown, checking }: ChecksState): ChecksText | undefined {
  if (isDown) {
    return {
      text: '$(error) SVC: files are not checked',
      tooltip: 'SVC: the language server has stopped, so problems are outdated. Click to start it again.',
      leadsTo: 'restart',
    }
  }
  if (checking.length === 0) return undefined
  const [done, of] = [sum(checking.map(each => each.done)), sum(checking.map(each => each.of))]
  const count = `checking ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
  return {
    text: `$(sync~spin) ${count}`,
    tooltip: `SVC: ${count} assets that a change reaches`,
    leadsTo: 'problems',
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
