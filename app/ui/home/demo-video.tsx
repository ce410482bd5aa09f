import captions from "../../../content/film/demo.vtt?raw";
import captionsFile from "../../../content/film/demo.vtt?url";
import landscapeMp4 from "../../../content/film/demo-landscape.mp4";
import landscapeWebm from "../../../content/film/demo-landscape.webm";
import portraitMp4 from "../../../content/film/demo-portrait.mp4";
import portraitWebm from "../../../content/film/demo-portrait.webm";
import megabytes from "../../../content/film/megabytes.json" with { type: "json" };
import poster from "../../../content/film/poster.svg";
import type { Brand } from "../../brand.ts";

/** The video shows proposals, so a site without a model that proposes marks leaves it out. */
export const showsVideo = ({ model }: Brand): boolean => model !== "";

/** The windows that get the landscape cut; phones and other narrow windows get the portrait cut. */
const wide = "(min-width: 30em)";

/**
 * A recording of this site, made by `npm run record-video`. Until it is played, only the poster is loaded. A browser
 * that does not know `media` on a source plays the landscape cut.
 */
export function DemoVideo() {
  const { seconds, sentences } = transcriptOf(captions);
  return (
    <div className="page demo-video halves centred no-print" id="video">
      <div className="flush">
        <h2 id="video-title" className="term">
          The demo in {seconds} seconds
        </h2>
        <p>
          Recorded from this program, with made-up work. No sound, captions,{" "}
          {Math.max(megabytes.landscape, megabytes.portrait)} MB at most.
        </p>
        <details>
          <summary>What it shows, in words</summary>
          <ol className="hint">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </details>
      </div>
      <video controls preload="none" poster={poster} aria-labelledby="video-title">
        <source media={wide} src={landscapeWebm} type="video/webm" />
        <source media={wide} src={landscapeMp4} type="video/mp4" />
        <source src={portraitWebm} type="video/webm" />
        <source src={portraitMp4} type="video/mp4" />
        <track kind="captions" src={captionsFile} srcLang="en" label="English" default />
        <a href={landscapeMp4}>The video as a file (MP4)</a>
      </video>
    </div>
  );
}

/** The text of WebVTT captions, and the end of the last one in seconds. */
function transcriptOf(vtt: string): { seconds: number; sentences: string[] } {
  const cues = [...vtt.matchAll(/ --> (?<end>[\d:.]+).*\n(?<sentence>.+)/g)];
  return {
    seconds: Math.round(secondsOf(cues.at(-1)!.groups!.end!)),
    sentences: cues.map((cue) => cue.groups!.sentence!.trim()),
  };
}

/** @param time as hours, minutes and seconds: "00:01:02.500" */
const secondsOf = (time: string): number =>
  time.split(":").reduce((total, part) => total * 60 + Number(part), 0);
