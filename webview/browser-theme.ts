/** Outside VS Code the page follows the system: dark or light, and more contrast if requested. */
export function followSystemTheme(body: HTMLElement): void {
  const light = matchMedia('(prefers-color-scheme: light)')
  const contrast = [matchMedia('(prefers-contrast: more)'), matchMedia('(forced-colors: active)')]
  const apply = () => {
    const kind = themeKind(
      light.matches,
      contrast.some(list => list.matches),
    )
    body.className = kind
    body.dataset['vscodeThemeKind'] = kind
  }
  for (const list of [light, ...contrast]) list.addEventListener('change', apply)
  apply()
}

function themeKind(isLight: boolean, isHighContrast: boolean): string {
  if (isHighContrast) return isLight ? 'vscode-high-contrast-light' : 'vscode-high-contrast'
  return isLight ? 'vscode-light' : 'vscode-dark'
}
