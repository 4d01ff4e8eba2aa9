/** Data of a chart. */

export type Series = { name: string; label: string; tone: 'good' | 'bad' | 'accent' | 'calm' }

/** `at` names a point of the axis; the other members are values by the names of the series. */
export type Point = Readonly<Record<string, string | number>> & { readonly at: string }
