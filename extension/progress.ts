/** Work that a person waits for and may cancel. */
import { type CancellationToken, ProgressLocation, window } from 'vscode'

export async function withProgress<T>(
  title: string,
  work: (token: CancellationToken) => Promise<T>,
): Promise<T> {
  const options = { location: ProgressLocation.Notification, title: `SVC: ${title}`, cancellable: true }
  return window.withProgress(options, (_progress, token) => work(token))
}
