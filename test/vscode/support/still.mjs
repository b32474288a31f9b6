// What moves in a window costs as much processor time as what is tested: of a suite in the extension host a sixth.

/** Settings under which nothing moves by itself. */
export const stillSettings = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' }

/**
 * The window of suites at whose picture nobody looks.
 * @type {import('playwright-core').BrowserContextOptions}
 */
export const unseenWindow = { viewport: { width: 1000, height: 600 }, reducedMotion: 'reduce' }

/** What nobody needs who does not look. */
export const unseenSettings = { ...stillSettings, 'editor.minimap.enabled': false }
