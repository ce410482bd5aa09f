import { demoRequest } from "../forms/demo-request.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

export default function DemoRequest({ notice, ...form }: TextFormIsland & { notice: string }) {
  return (
    <TextForm
      form={demoRequest}
      action="/demo"
      submitLabel="Request a demo"
      failure={{
        title: "Submission Failed",
        description: "Please try again later.",
        preferServerMessage: true,
      }}
      notice={<Notice text={notice} />}
      {...form}
    />
  );
}
