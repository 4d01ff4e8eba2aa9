/** Messages between a page and the worker that draws PDFs. */

export type PdfRequest = { id: number; data: ArrayBuffer } | { id: number; page: number }

export type PdfResponse =
  | { id: number; pages: number }
  | { id: number; bitmap: ImageBitmap }
  | { id: number; fault: 'locked' | 'broken' }
