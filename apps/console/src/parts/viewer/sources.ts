/** Files of identifications as pages that can be drawn (D-615). */

import type { PdfRequest, PdfResponse } from './pdf_messages.ts'

export type Source = {
  pages: number
  /** The picture of a page, counted from 1. */
  draw: (page: number) => Promise<ImageBitmap>
  close: () => void
}

/** Why a file cannot be shown; the file itself can be downloaded. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly why: 'locked' | 'broken'

  constructor(why: 'locked' | 'broken') {
    super(why)
    this.why = why
  }
}

/** Larger pictures are made smaller: a screen shows no more. */
const LONGER_SIDE = 4096

export const isPdf = (content_type: string): boolean => content_type === 'application/pdf'
export const isShown = (content_type: string): boolean =>
  isPdf(content_type) || content_type.startsWith('image/')

export const openSource = async (bytes: Blob, content_type: string): Promise<Source> =>
  isPdf(content_type) ? openPdf(await bytes.arrayBuffer()) : openPicture(bytes)

async function openPicture(bytes: Blob): Promise<Source> {
  const whole = await createImageBitmap(bytes).catch(() => {
    throw new Unreadable('broken')
  })
  const bitmap = await smaller(whole)
  return { pages: 1, draw: async () => bitmap, close: () => bitmap.close() }
}

async function smaller(bitmap: ImageBitmap): Promise<ImageBitmap> {
  const { width, height } = bitmap
  const scale = LONGER_SIDE / Math.max(width, height)
  if (scale >= 1) return bitmap
  const resizeWidth = Math.max(1, Math.round(width * scale))
  const resizeHeight = Math.max(1, Math.round(height * scale))
  const made = await createImageBitmap(bitmap, { resizeWidth, resizeHeight, resizeQuality: 'high' })
  bitmap.close()
  return made
}

type Waiting = { resolve: (response: PdfResponse) => void; reject: (error: Error) => void }

/** A worker for each document: when it is closed, nothing of the document stays. */
async function openPdf(data: ArrayBuffer): Promise<Source> {
  const worker = new Worker(new URL('./pdf_worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  let last = 0
  worker.addEventListener('message', ({ data: response }: MessageEvent<PdfResponse>) => {
    waiting.get(response.id)?.resolve(response)
    waiting.delete(response.id)
  })
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Unreadable('broken'))
    waiting.clear()
  })
  const ask = async (asked: PdfRequest, transfer: Transferable[] = []): Promise<PdfResponse> => {
    const response = await new Promise<PdfResponse>((resolve, reject) => {
      waiting.set(asked.id, { resolve, reject })
      worker.postMessage(asked, transfer)
    })
    if ('fault' in response) throw new Unreadable(response.fault)
    return response
  }
  const close = () => worker.terminate()
  try {
    const response = await ask({ id: ++last, data }, [data])
    const pages = 'pages' in response ? response.pages : 0
    return {
      pages,
      async draw(page) {
        const drawn = await ask({ id: ++last, page })
        if ('bitmap' in drawn) return drawn.bitmap
        throw new Unreadable('broken')
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}
