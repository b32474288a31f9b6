/** Outside VS Code the page follows the system: dark or light, and more contrast if requested. */

const wishes = [
  '(prefers-color-scheme: light)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
] as const

export function followSystemTheme(body: HTMLElement): void {
  const lists = wishes.map(wish => matchMedia(wish))
  const apply = () => {
    const kind = themeKind(
      lists[0]?.matches === true,
      lists.slice(1).some(list => list.matches),
    )
    body.classList.remove(...kinds)
    body.classList.add(kind)
    body.dataset['vscodeThemeKind'] = kind
  }
  for (const list of lists) list.addEventListener('change', apply)
  apply()
}

const kinds = ['vscode-dark', 'vscode-light', 'vscode-high-contrast', 'vscode-high-contrast-light'] as const

function themeKind(isLight: boolean, isHighContrast: boolean): (typeof kinds)[number] {
  if (isHighContrast) return isLight ? 'vscode-high-contrast-light' : 'vscode-high-contrast'
  return isLight ? 'vscode-light' : 'vscode-dark'
}
