/** Pictures of single articles, 400 by 180, drawn with the classes of styles/drawn.css. */
import type { Article } from "../../domain/article.ts";
import "../../styles/drawn.css";

type DrawnName = Exclude<Article["image"], "marked-script" | "mark-sheet" | "memo">;

interface Drawn {
  alt: string;
  drawing: React.ReactNode;
}

const Paths = ({ of, d }: { of: string; d: string }) => <path className={of} d={d} />;

/** A tick, from its lowest point. */
const tick = (x: number, y: number) => `M${x - 9} ${y - 11}q6 3 9 11 7-17 21-27`;

/** A ring that does not quite close. */
const ring = (x: number, y: number, rx: number, ry: number) =>
  `M${x + rx} ${y - 4}c2 ${ry * 0.7}-${rx * 0.8} ${ry * 1.1}-${rx * 1.2} ${ry}s-${rx} -${ry * 0.7}-${rx * 0.7} -${ry * 1.2} ${rx * 1.3} -${ry * 0.8} ${rx * 1.8} 2`;

export const drawn: Record<DrawnName, Drawn> = {
  pile: {
    alt: "Drawing of a pile of essays; one sheet sticks out, and the 23 in pencil on it has become 19, ringed in red with a question mark",
    drawing: (
      <>
        <Paths
          of="sheet"
          d="M96 150l150-8 46 12-152 12zM94 142l152-8 44 12-150 10zM98 134l148-8 46 12-150 10zM95 126l150-8 45 12-152 10z"
        />
        <Paths of="sheet" d="M132 112l152-20 42 16-150 24z" />
        <Paths
          of="sheet"
          d="M96 108l150-8 46 12-152 12zM95 99l150-8 45 12-150 11zM97 90l149-9 46 13-152 10z"
        />
        <Paths of="sheet" d="M94 80l152-10 46 13-150 12z" />
        <Paths of="ink" d="M128 82l92-6M140 86l96-7M152 90l60-5" />
        <text className="pencil" x="280" y="94">
          23
        </text>
        <Paths of="red" d="M278 90l32-10" />
        <text className="red" x="330" y="84">
          19?
        </text>
        <Paths of="red" d={ring(348, 76, 28, 22)} />
      </>
    ),
  },
  "punched-card": {
    alt: "Drawing of a punched card, and below it a line of handwriting with a red tick",
    drawing: (
      <>
        <Paths of="sheet" d="M64 26l246-6 6 84-252 8z" />
        <Paths
          of="hole"
          d="M84 38h5v11h-5zM108 54h5v11h-5zM132 38h5v11h-5zM156 70h5v11h-5zM180 54h5v11h-5zM204 86h5v11h-5zM228 36h5v11h-5zM252 68h5v11h-5zM276 52h5v11h-5zM296 84h5v11h-5zM96 86h5v11h-5zM168 36h5v11h-5zM240 84h5v11h-5z"
        />
        <Paths of="rule" d="M60 140h280M60 160h280" />
        <Paths
          of="ink"
          d="M70 138c6-14 12-10 8 0 6-12 14-12 12 0 8-14 16-10 14-2 6-8 12-8 14-4M136 138c2-16 10-16 10-4s-8 6-2-2 16-8 14 2c8-12 14-10 14 0M190 138c8-20 12-18 6 0 6-10 14-12 14-2s8 2 12-4M240 136c10-8 12-10 20-4s10 6 18-2"
        />
        <Paths of="red" d={tick(318, 150)} />
      </>
    ),
  },
  targets: {
    alt: "Drawing of two targets: on one the shots lie close together, away from the centre; on the other they lie around the centre, far apart",
    drawing: (
      <>
        <Paths
          of="ink"
          d="M112 28c36 0 62 26 62 61s-28 62-62 62-62-28-62-62 26-61 62-61zM112 50c22 0 40 16 40 39s-18 40-40 40-40-18-40-40 18-39 40-39zM290 28c36 0 62 26 62 61s-28 62-62 62-62-28-62-62 26-61 62-61zM290 50c22 0 40 16 40 39s-18 40-40 40-40-18-40-40 18-39 40-39z"
        />
        <Paths
          of="red"
          d="M112 78c7 0 11 5 11 11s-4 11-11 11-11-5-11-11 4-11 11-11zM290 78c7 0 11 5 11 11s-4 11-11 11-11-5-11-11 4-11 11-11z"
        />
        <Paths
          of="dots"
          d="M142 56h.1M150 62h.1M138 65h.1M147 52h.1M154 54h.1M145 70h.1M264 62h.1M322 72h.1M282 124h.1M312 118h.1M256 100h.1M300 54h.1"
        />
      </>
    ),
  },
  "two-markers": {
    alt: "Drawing of two columns of marks side by side, one in ink and one in pencil: 6 and 6, 8 and 8, 7 and 3, 4 and 4; the third pair is ringed in red",
    drawing: (
      <>
        <Paths of="sheet" d="M104 14l188 4-6 156-186-6z" />
        <Paths of="rule" d="M104 52h184M103 92h184M102 132h184" />
        <Paths of="margin" d="M196 18l-4 152" />
        <text x="142" y="44">
          6
        </text>
        <text x="142" y="84">
          8
        </text>
        <text x="142" y="124">
          7
        </text>
        <text x="142" y="162">
          4
        </text>
        <text className="pencil" x="232" y="44">
          6
        </text>
        <text className="pencil" x="232" y="84">
          8
        </text>
        <text className="pencil" x="232" y="124">
          3
        </text>
        <text className="pencil" x="232" y="162">
          4
        </text>
        <Paths of="red" d={ring(194, 114, 78, 24)} />
        <text className="red" x="300" y="122">
          4 out
        </text>
      </>
    ),
  },
  scanner: {
    alt: "Drawing of a handwritten page that goes into a scanner and comes out as lines of type, with a pencilled 3 beside one and a red tick beside another",
    drawing: (
      <>
        <Paths of="sheet" d="M48 20l92-4 6 92-96 4z" />
        <Paths
          of="ink"
          d="M60 40c10-8 14 4 22-2s12-4 20 0 14-4 24-2M60 58c8-6 16 2 24-2s16-2 26 0M60 76c12-8 18 4 28-2s14-2 34-2M60 92c10-6 16 0 30-2"
        />
        <Paths of="sheet" d="M30 112h136l10 34H22z" />
        <Paths of="ink" d="M44 122h108M170 132h.1" />
        <Paths of="pencil" d="M190 96c18-12 30-10 46-4M226 84l12 8-12 10" />
        <Paths of="sheet" d="M254 22h98v132h-98z" />
        <Paths of="rule" d="M268 44h58M268 60h70M268 76h48M268 100h66M268 116h70M268 132h40" />
        <text className="pencil" x="360" y="70">
          3
        </text>
        <Paths of="red" d={tick(366, 124)} />
      </>
    ),
  },
  sunday: {
    alt: "Drawing of a clock at twenty to five, a mug and a pile of scripts, the first of them ticked in red",
    drawing: (
      <>
        <Paths
          of="ink"
          d="M92 30c32 0 56 24 56 56s-24 56-56 56-56-24-56-56 24-56 56-56zM92 40v6M92 126v6M46 86h6M132 86h6M92 86l-30 19M92 86l24 32"
        />
        <Paths
          of="sheet"
          d="M212 142h140v10H212zM208 132h140v10H208zM214 122h138v10H214zM209 112h140v10H209zM213 102h138v10H213zM208 92h142v10H208zM212 82h138v10H212zM210 72l140-2v12H210z"
        />
        <Paths of="sheet" d="M214 34l122 2 14 34-140 2z" />
        <Paths of="ink" d="M232 46l74 2M230 54l84 2M228 62l52 1" />
        <Paths of="red" d={tick(326, 58)} />
        <Paths
          of="ink"
          d="M164 118h32v24q0 8-8 8h-16q-8 0-8-8zM196 124c14-4 14 18 0 14M172 108c-4-6 4-8 0-14M184 108c-4-6 4-8 0-14M20 152h360"
        />
      </>
    ),
  },
  "margin-note": {
    alt: "Drawing of a paragraph in handwriting: the word “good” in the margin is struck out, and a red arrow leads to one sentence with the note “why?”",
    drawing: (
      <>
        <Paths of="sheet" d="M60 12l286 4-4 156-284-4z" />
        <Paths of="margin" d="M134 14l-2 156" />
        <Paths of="rule" d="M60 48h284M60 80h283M60 112h283M60 144h282" />
        <Paths
          of="ink"
          d="M148 44c8-12 14-8 12 0s10-12 16-4 8 6 14 0 10-8 16-2 12 4 22-2 14 4 22 0 18-6 30 0M148 76c10-10 14-6 16 0s10-8 18-2 10 2 18-2 14-4 22 2 14 0 24-4M148 108c8-10 16-8 16 0s12-8 18-2 12 2 20-2 14 4 22 0 16-4 28 0 14 0 22-2M148 140c10-10 14-4 20 0s12-6 20-2 14 0 24-2"
        />
        <text className="pencil" x="70" y="46">
          good
        </text>
        <Paths
          of="red"
          d="M66 42l56-10M150 116c30 4 66 2 120-1M92 96c20-14 34-6 50 8M134 94l9 11-14 2"
        />
        <text className="red" x="64" y="136">
          why?
        </text>
      </>
    ),
  },
  phone: {
    alt: "Drawing of a phone held above a written page: the page fills the frame on the screen, and a red tick says that it is sharp",
    drawing: (
      <>
        <Paths of="sheet" d="M112 78l150-28 56 96-160 28z" />
        <Paths
          of="ink"
          d="M140 92l96-18M146 106l106-20M154 120l88-16M162 134l102-19M170 148l64-12"
        />
        <Paths of="phone" d="M176 8l116 8q8 1 7 9l-8 96q-1 8-9 7l-114-9q-8-1-7-9l8-95q1-8 7-7z" />
        <Paths of="sheet" d="M184 17l112 8-7 88-112-9z" />
        <Paths of="ink" d="M198 40l80 6M197 56l84 6M196 72l62 5M195 88l76 5" />
        <Paths
          of="red"
          d="M189 34v-9l11 1M281 31l10 1-1 10M285 100l-1 10-11-1M194 103l-11-1 1-10"
        />
        <Paths of="red" d={tick(328, 66)} />
      </>
    ),
  },
  mapwork: {
    alt: "Drawing of a map with contour lines: the distance from A to B is measured in pencil, and two red ticks mark the method and the answer",
    drawing: (
      <>
        <Paths of="sheet" d="M46 14h212v152H46z" />
        <Paths of="rule" d="M99 14v152M152 14v152M205 14v152M46 52h212M46 90h212M46 128h212" />
        <Paths
          of="ink"
          d="M120 70c16-22 50-18 56 4s-22 36-44 28-22-20-12-32zM104 58c26-36 84-28 90 12s-40 60-72 46-38-34-18-58zM84 48c34-52 122-42 128 20s-62 84-106 62-46-52-22-82z"
        />
        <Paths of="pencil" d="M74 144L232 36M70 140l8 8M228 32l8 8" />
        <text x="54" y="160">
          A
        </text>
        <text x="236" y="36">
          B
        </text>
        <text className="pencil" x="276" y="70">
          7.6 cm
        </text>
        <text className="pencil" x="276" y="118">
          3.8 km
        </text>
        <Paths of="red" d={`${tick(374, 64)}${tick(374, 112)}`} />
      </>
    ),
  },
  bridge: {
    alt: "Drawing of a bridge of ruled lines that reaches out from one bank and stops before the other, where a red line marks what is missing",
    drawing: (
      <>
        <Paths
          of="ink"
          d="M0 96c30-4 60 0 92-2 4 20 10 50 6 86M400 92c-26-4-52 2-84 2-6 24-10 52-4 86M104 168c14-8 26 4 40 0s24-8 38-2 26 4 40-2 28 0 42 2 24-4 40 0"
        />
        <Paths of="rule" d="M92 100h140M92 110h136" />
        <Paths
          of="ink"
          d="M88 92l146 2M108 94v18M130 94v18M152 95v17M174 95v17M196 95v17M218 95v17M92 94c20-60 84-66 126-2M118 66v26M146 54v40M174 58v36M200 74v20"
        />
        <Paths
          of="ink"
          d="M44 94v-26M38 76l6-6 6 6M44 60c4 0 6-3 6-6s-2-6-6-6-6 3-6 6 2 6 6 6zM356 92v-22M350 76l6-4 6 4M356 62c4 0 6-3 6-6s-2-6-6-6-6 3-6 6 2 6 6 6z"
        />
        <Paths of="red-dashed" d="M240 94c26-2 48 0 74-1" />
        <text className="red" x="262" y="82">
          ?
        </text>
      </>
    ),
  },
};
