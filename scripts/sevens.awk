# Draws catalog/sevens.csv as an SVG: the share of the 3×3×4 box that a set builds, and its figures altogether.
#
# Usage: awk -f scripts/sevens.awk catalog/sevens.csv > sevens.svg
# Sets with a straight tetracube are small circles. A set with only one of A and B counts figures and mirror images
# apart, so half of them are drawn.
function across(share) { return 70 + (share - 10) * 8 }
function down(figures) { return 400 - (log(figures) / log(10) - 16) * 163 }
function text(x, y, anchor, words) {
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words
}
BEGIN {
    FS = ","
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 450\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<title>What sets of a tricube and six tetracubes build</title>"
    print "<rect width=\"760\" height=\"450\" fill=\"#fff\"/>"
    print "<g stroke=\"#ddd\">"
    for (share = 10; share <= 90; share += 10)
        printf "<path d=\"M%d 20V400\"/>\n", across(share)
    split("1e16 2e16 5e16 1e17 2e17 5e17 1e18", figures, " ")
    for (i = 1; i <= 7; i++) printf "<path d=\"M70 %dH710\"/>\n", down(figures[i])
    print "</g>"
    for (share = 10; share <= 90; share += 10) text(across(share), 417, "middle", share " %")
    split("10¹⁶ 2·10¹⁶ 5·10¹⁶ 10¹⁷ 2·10¹⁷ 5·10¹⁷ 10¹⁸", names, " ")
    for (i = 1; i <= 7; i++) text(64, down(figures[i]) + 4, "end", names[i])
    text(390, 440, "middle", "share of the figures of the 3×3×4 box that the set builds")
    text(76, 15, "start", "figures altogether (estimates)")
}
NR > 1 {
    one_hand = ($1 ~ /A/) != ($1 ~ /B/)
    figures_built = one_hand ? $7 / 2 : $7
    x = across(100 * $6 / $5)
    y = down(figures_built)
    name = $1
    gsub(/ /, "", name)
    straight = name ~ /Q/
    color = name == "VLTZABP" ? "#c00" : straight ? "#999" : "#06c"
    fill = $2 > 0 ? color : "none"
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\" stroke=\"%s\"/>\n", x, y, straight ? 3 : 5, fill, color
    if (straight) next
    if ($2 == 0) text(x - 9, y + 4, "end", name)
    else if (one_hand) text(x + 2, y - 8, "end", name)
    else text(x + 9, y + (name ~ /Z/ ? 4 : 13), "start", name)
}
END { print "</svg>" }
