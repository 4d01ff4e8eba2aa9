import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { IdentificationFile } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { DocumentInput } from '../../parts/document_input.tsx'
import { DOCUMENTS } from './documents.ts'
import type { OfDocument } from './identifications.tsx'

type Side = IdentificationFile['identification_document_type']

/** A file of an identification. */
export function Upload({ user, identification: { id, type } }: OfDocument) {
  const { t } = useTranslation()
  const sides: readonly Side[] = DOCUMENTS[type]
  const [first] = sides
  const [side, setSide] = useState(first)
  const [file, setFile] = useState<File | null>(null)
  const act = () => {
    const body = {
      ...(side !== undefined && { identification_document_type: side }),
      ...(file && { file }),
    }
    return answered(issuing.identifications.uploadFiles(user.id, id, body))
  }
  return (
    <Act
      label={t('reviews.upload')}
      text={t('reviews.upload_text')}
      act={act}
      onDone={() => setFile(null)}
    >
      {sides.length > 1 && (
        <NativeSelect
          label={t('reviews.side')}
          data={sides}
          value={side ?? ''}
          onChange={({ currentTarget }) =>
            setSide(sides.find((one) => one === currentTarget.value))
          }
        />
      )}
      <DocumentInput file={file} onChange={setFile} />
    </Act>
  )
}
