import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Cue, Film } from "./film.ts";
import { poster } from "./poster.ts";

/** Writes a film as WebM and MP4, its captions and its poster into a folder. */
export function encode(film: Film, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const to = (name: string) => path.join(folder, name);
  ffmpeg(["-i", film.file, ...h264, to("demo.mp4")]);
  ffmpeg(["-i", film.file, ...vp9, to("demo.webm")]);
  writeFileSync(to("poster.svg"), poster());
  writeFileSync(to("demo.vtt"), captions(film.cues));
}

// Declare BT.709, the colours of HD: without it, some players assume those of older television.
const colours = ["-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709"];
const scaled = "scale=out_color_matrix=bt709";
/** A key frame every four seconds, for seeking. */
const keys = ["-g", "100"];
const h264 = [
  ...["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "28", ...keys],
  ...["-vf", scaled, ...colours, "-color_trc", "bt709", "-movflags", "+faststart"],
];
const vp9 = [
  ...["-c:v", "libvpx-vp9", "-crf", "42", "-b:v", "0", "-deadline", "good", "-cpu-used", "2"],
  ...["-row-mt", "1", "-threads", "2", ...keys, "-vf", scaled, ...colours, "-color_trc", "bt709"],
];

/** @param args the last is the file to write */
function ffmpeg(args: string[]): void {
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...args], { stdio: "inherit" });
}

/** Returns the cues in WebVTT format (W3C). */
function captions(cues: Cue[]): string {
  const blocks = cues.map(
    ({ from, to, text }) => `${timestamp(from)} --> ${timestamp(to)}\n${text}\n`,
  );
  return ["WEBVTT\n", ...blocks].join("\n");
}

const timestamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
