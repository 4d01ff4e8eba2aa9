/** The applicant's page and its notices, as HTML without scripts. */

import { Html, html, visitorPage } from '#lib/html.ts'
import { type Kind, kinds } from './media.ts'
import { type FileFault, type Language, type Texts, texts } from './texts.ts'

export type Faults = Partial<Record<Kind, FileFault>>

export type Place = { language: Language }

const accepts: Readonly<Record<Kind, string>> = {
  document_front: 'image/*,application/pdf',
  document_back: 'image/*,application/pdf',
  face: 'video/*,image/*',
}

/** `required` are the kinds that must be uploaded. */
export function formView(place: Place, required: readonly Kind[], faults: Faults): Html {
  const text = texts[place.language]
  const shown = kinds.filter((kind) => kind !== 'face' || required.includes('face'))
  return page(
    place,
    text.title,
    html`
    <h1>${text.title}</h1>
    <p>${text.intro}</p>
    ${problem(text, faults)}
    <form method="post" action="?lang=${place.language}" enctype="multipart/form-data">
      ${shown.map((kind) => field(text, kind, required.includes(kind), faults[kind]))}
      <button type="submit">${text.send}</button>
    </form>
    <p class="safe">${text.safe}</p>`,
  )
}

export function noticeView(place: Place, notice: keyof Texts['notices']): Html {
  const { title, detail } = texts[place.language].notices[notice]
  return page(place, title, html`<h1>${title}</h1><p role="status">${detail}</p>`)
}

/** The phone's camera opens at once: the back one for documents, the front one for the face. */
function field(text: Texts, kind: Kind, isRequired: boolean, fault: FileFault | undefined): Html {
  const described = fault ? `${kind}_hint ${kind}_fault` : `${kind}_hint`
  return html`<div class="field">
        <label for="${kind}">${text.labels[kind]}${!isRequired && html` (${text.optional})`}</label>
        <p class="hint" id="${kind}_hint">${text.hints[kind]}</p>
        ${fault && html`<p class="fault" id="${kind}_fault">${text.faults[fault]}</p>`}
        <input id="${kind}" name="${kind}" type="file" accept="${accepts[kind]}"
          capture="${kind === 'face' ? 'user' : 'environment'}" aria-describedby="${described}"${
            isRequired && new Html(' required')
          }${fault && new Html(' aria-invalid="true"')}>
      </div>`
}

/** The summary is read out at once and leads to each field. */
function problem(text: Texts, faults: Faults): Html | false {
  const wrong = kinds.filter((kind) => faults[kind])
  if (wrong.length === 0) return false
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${text.check}</h2>
      <ul>${wrong.map((kind) => html`<li><a href="#${kind}">${text.labels[kind]}</a></li>`)}</ul>
    </div>`
}

function page({ language }: Place, title: string, content: Html): Html {
  const { direction, other } = texts[language]
  return visitorPage({
    language,
    direction,
    title,
    head: html`<link rel="stylesheet" href="assets/identity.css">`,
    body: html`<body>
<main>${content}
</main>
<footer><a href="?lang=${other.language}" lang="${other.language}">${other.name}</a></footer>
</body>`,
  })
}
