import { asksToConfirmField, confirmationField } from "../forms/confirmation.ts";
import { defaultMessage, demoUpload } from "../forms/demo-upload.ts";
import { MayShare } from "./form/may-share.tsx";
import { Notice } from "./form/notice.tsx";
import { UploadForm, type UploadFormIsland } from "./form/upload-form.tsx";

export default function DemoUpload({
  product,
  hasModel,
  notice,
  ...form
}: UploadFormIsland & { product: string; hasModel: boolean; notice: string }) {
  return (
    <UploadForm
      form={demoUpload}
      action="/?index&form=demo-upload"
      anchor="#demo"
      extra={{ requestType: "demo", [asksToConfirmField]: "yes" }}
      title="Where should the marked work go?"
      openLabel={hasModel ? "Process with AI" : "Send for marking"}
      sendLabel="Send the files"
      failure={{
        title: "Submission failed",
        description: "There was an error submitting your information. Please try again.",
      }}
      notice={(errors) => (
        <>
          <MayShare
            isTicked={Boolean(form.returned?.typed[confirmationField])}
            errors={errors[confirmationField]}
          />
          <Notice text={notice} hasFiles />
        </>
      )}
      defaultTexts={{ message: defaultMessage(product) }}
      {...form}
    />
  );
}
