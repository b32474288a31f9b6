/**
 * Outlines of the icons on buttons, drawn in a box of 16 by 16 with lines of 1.5, so that they do not depend
 * on fonts.
 */
export const icons = {
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5V3h7.5v7.5h-2.5M3 5.5h7.5V13H3z',
  down: 'M4 6l4 4 4-4',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  fold: 'M2.5 5.5h4v-3M6.5 5.5l-4-4M13.5 10.5h-4v3M9.5 10.5l4 4',
  unfold: 'M6.5 2.5h-4v4M2.5 2.5l4 4M9.5 13.5h4v-4M13.5 13.5l-4-4',
  minus: 'M3.5 8h9',
  move: 'M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6L2 8l2 2M12 6l2 2-2 2',
  narrow: 'M13.5 3v10M2.5 8h8M7 4.5L10.5 8 7 11.5',
  plus: 'M8 3.5v9M3.5 8h9',
  reload: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  reset: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3',
  save: 'M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.4 10.4l3.1 3.1',
  wide: 'M2.5 3v10M13.5 8h-8M9 4.5L5.5 8 9 11.5',
} as const

export type IconName = keyof typeof icons
