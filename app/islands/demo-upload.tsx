import { confirmationField, noticeVersions } from "../forms/confirmation.ts";
import { defaultMessage, demoUpload } from "../forms/demo-upload.ts";
import { Notice } from "./form/notice.tsx";
import { UploadForm, type UploadFormIsland } from "./form/upload-form.tsx";

/** The form that sends papers to be marked. */
export default function DemoUpload({
  product,
  notice,
  ...form
}: UploadFormIsland & { product: string; notice: string }) {
  return (
    <UploadForm
      form={demoUpload}
      action="/?index&form=demo-upload"
      anchor="#demo"
      extra={{ requestType: "demo" }}
      title="Where should the marked work go?"
      openLabel="Process with AI"
      sendLabel="Send the files"
      failure={{
        title: "Submission failed",
        description: "There was an error submitting your information. Please try again.",
      }}
      notice={
        <>
          <MayShare checked={Boolean(form.typed?.[confirmationField])} />
          <Notice text={notice} hasFiles />
        </>
      }
      defaultTexts={{ message: defaultMessage(product) }}
      {...form}
    />
  );
}

/** When you change the wording, add the date to noticeVersions. */
function MayShare({ checked }: { checked: boolean }) {
  return (
    <label className="check">
      <input
        type="checkbox"
        name={confirmationField}
        value={noticeVersions.at(-1)}
        defaultChecked={checked}
      />
      <span>
        I may share this work: my school or institution allows it, and I have removed the learners’
        names. <span className="faded">(optional)</span>
      </span>
    </label>
  );
}
