/** Clicks on rows of a tree that the editor could no longer tell. */
import { window } from 'vscode'

/**
 * Whether a row was clicked in the moment in which its tree was drawn anew. The editor passes the row and the selection, and
 * a row that it has forgotten as undefined. A command that then looked for something else to work on, such as the file that
 * is open, would run or roll back what nobody clicked.
 */
export function isRowLost(clicked: readonly unknown[]): boolean {
  return clicked.length > 1 && clicked[0] === undefined
}

export function tellLostRow(): void {
  void window.showWarningMessage('SVC: the list changed at that moment, so nothing was done. Click again.')
}
