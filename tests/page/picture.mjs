// The pictures of the README: both texts of a pair, light and dark. `DEDUP_PICTURES=record cargo test --test page` runs it; the page,
// the folder of the pictures and the browser come from `main.rs`.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { launch } from "./browser.mjs";

const { DEDUP_PAGE: file, DEDUP_FOLDER: folder, DEDUP_BROWSER: program } = process.env;
const browser = await launch(program);
for (const dark of [false, true]) {
  const size = { width: 840, height: 400, dark };
  const page = await browser.open(`${pathToFileURL(file).href}#pair=1`, size);
  await page.until(`document.querySelectorAll("#text-b mark").length > 0`);
  await page.value("new Promise((resolve) => setTimeout(resolve, 500))");
  writeFileSync(join(folder, `page-${dark ? "dark" : "light"}.png`), await page.picture());
  await page.close();
}
await browser.close();
