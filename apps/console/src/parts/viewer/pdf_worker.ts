/** Draws pages of PDFs, apart from the page that shows them (D-615). */

import 'pdfjs-dist/build/pdf.worker.mjs'
import { getDocument, PasswordException, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist'
import type { PdfRequest, PdfResponse } from './pdf_messages.ts'

/** Pixels of the longer side of a drawn page: sharp at four times the width of a phone. */
const LONGER_SIDE = 2400
const SCALE_MAX = 6

/**
 * Files that documents need beside themselves: the standard fonts, and decoders of two kinds of
 * pictures.
 */
const assets = import.meta.glob<string>(
  [
    '../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
)

class Assets {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const [, url] = Object.entries(assets).find(([path]) => path.endsWith(`/${filename}`)) ?? []
    if (url === undefined) throw new Error(`no file ${filename}`)
    return new Uint8Array(await (await fetch(url)).arrayBuffer())
  }
}

/** Canvases of a worker, which has no document. */
class Canvases {
  create(width: number, height: number) {
    const canvas = new OffscreenCanvas(width, height)
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }

  reset({ canvas }: { canvas: OffscreenCanvas }, width: number, height: number): void {
    Object.assign(canvas, { width, height })
  }

  destroy({ canvas }: { canvas: OffscreenCanvas }): void {
    Object.assign(canvas, { width: 0, height: 0 })
  }

  getNoAlphaContext(canvas: OffscreenCanvas) {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  }
}

/** Filters are elements of a document: a page is drawn without their effects. */
class Filters {
  addFilter = (): string => 'none'
  addHCMFilter = (): string => 'none'
  addAlphaFilter = (): string => 'none'
  addLuminosityFilter = (): string => 'none'
  addKnockoutFilter = (): string => 'none'
  addHighlightHCMFilter = (): string => 'none'
  addSelectionHCMFilter = (): string => 'none'
  addSelectionFilter = (): string => 'none'
  createSelectionStyle = (): null => null
  destroy(): void {}
}

let opened: PDFDocumentProxy | undefined

async function open(data: ArrayBuffer): Promise<number> {
  opened = await getDocument({
    data: new Uint8Array(data),
    verbosity: VerbosityLevel.ERRORS,
    // Without a document glyphs are drawn as paths, and nothing is taken from the system.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    standardFontDataUrl: '/',
    wasmUrl: '/',
    CanvasFactory: Canvases,
    FilterFactory: Filters,
    BinaryDataFactory: Assets,
  }).promise
  return opened.numPages
}

async function draw(number: number): Promise<ImageBitmap> {
  if (!opened) throw new Error('no document is open')
  const page = await opened.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(SCALE_MAX, LONGER_SIDE / Math.max(width, height))
  const viewport = page.getViewport({ scale })
  const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  const context = canvas.getContext('2d')
  // The types know canvases of documents only; it draws on any.
  const canvasContext = context as unknown as CanvasRenderingContext2D
  await page.render({ canvas: null, canvasContext, viewport }).promise
  page.cleanup()
  return canvas.transferToImageBitmap()
}

function respond(response: PdfResponse, transfer: Transferable[] = []): void {
  globalThis.postMessage(response, { transfer })
}

async function answer(asked: PdfRequest): Promise<void> {
  const { id } = asked
  try {
    if ('data' in asked) {
      respond({ id, pages: await open(asked.data) })
    } else {
      const bitmap = await draw(asked.page)
      respond({ id, bitmap }, [bitmap])
    }
  } catch (error) {
    respond({ id, fault: error instanceof PasswordException ? 'locked' : 'broken' })
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<Partial<PdfRequest>>) => {
  // The library sends messages of its own through the same port.
  if (data.id !== undefined && ('data' in data || 'page' in data)) void answer(data as PdfRequest)
})
