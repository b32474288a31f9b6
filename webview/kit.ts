/**
 * The only file that knows the component library; another library is a change here. Loaded with the page, never later:
 * the components read the theme when the page's `load` event fires.
 */
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing } from '@vscode/webview-ui-toolkit'

export function registerKit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing())
}
