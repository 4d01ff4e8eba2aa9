/** How a file is looked at: pure, so that buttons and keys do the same. */

export type View = {
  /** The place of the file in its list. */
  at: number
  /** Counted from 1. */
  page: number
  /** 1 is the size that fits. */
  zoom: number
  fit: 'page' | 'width'
  /** Clockwise, in degrees. */
  turn: number
}

export type Step = 'next' | 'previous' | 'larger' | 'smaller' | 'fit' | 'turn' | 'turn_back'
export type Move = Step | { file: number }

const ZOOM_STEP = 1.25
const ZOOM_MAX = 6
const ZOOM_MIN = 0.25

export const FIRST: View = { at: 0, page: 1, zoom: 1, fit: 'page', turn: 0 }

/** The range of the moves: the files, and the pages of the present one. */
export type Extent = { files: number; pages: number }

export function moved(view: View, move: Move, { files, pages }: Extent): View {
  if (typeof move === 'object') return { ...FIRST, fit: view.fit, at: move.file }
  const { at, page, zoom, turn } = view
  switch (move) {
    case 'next':
      if (page < pages) return { ...view, page: page + 1 }
      return at + 1 < files ? moved(view, { file: at + 1 }, { files, pages }) : view
    case 'previous':
      if (page > 1) return { ...view, page: page - 1 }
      return at > 0 ? moved(view, { file: at - 1 }, { files, pages }) : view
    case 'larger':
      return { ...view, zoom: Math.min(ZOOM_MAX, zoom * ZOOM_STEP) }
    case 'smaller':
      return { ...view, zoom: Math.max(ZOOM_MIN, zoom / ZOOM_STEP) }
    case 'fit':
      return { ...view, zoom: 1, fit: view.fit === 'page' ? 'width' : 'page' }
    case 'turn':
      return { ...view, turn: (turn + 90) % 360 }
    case 'turn_back':
      return { ...view, turn: (turn + 270) % 360 }
  }
}

export const mayMove = (
  { at, page }: View,
  move: 'next' | 'previous',
  { files, pages }: Extent,
): boolean => (move === 'next' ? page < pages || at + 1 < files : page > 1 || at > 0)
