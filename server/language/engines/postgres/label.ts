/** The display name. */
export const label = 'PostgreSQL'
