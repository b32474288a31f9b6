/**
 * The only file that uses the component library. Load it with the page, never later: the components read the
 * theme at the page's `load` event.
 */
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit'

export function registerKit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton())
}
