"""Words that turn a statement round: negations of English, German, Spanish, French and Chinese, and opposites."""

from typing import Final

from memoranda.text.folding import fold
from memoranda.text.word_lists import word_set

NOT: Final = "not"
NEVER: Final = "never"

NEGATIONS: Final = {
    word: key
    for key, words in {
        NOT: "not no nicht kein keine keinen keinem keiner keines pas 不 非 未",
        NEVER: "never nie niemals nunca jamás jamas jamais 从不",
        "nothing": "nothing nichts nada rien",
        "nobody": "nobody niemand nadie personne",
        "none": "none ningún ninguno ninguna ningun aucun aucune",
        "neither": "neither nor weder ni",
        "nowhere": "nowhere nirgends nirgendwo",
        "without": "without ohne sin sans",
        "没": "没",
        "别": "别 勿",
        "无": "无",
        "neither of": "tampoco",
    }.items()
    for word in words.split()
}
"""From a negation to what stands for it; one "not" is as good as another, but "never" says more."""

STRENGTHENED: Final = frozenset(("nothing", "nobody", "none", NEVER))
"""With a negation before them, these say no more than one negation in Spanish and French: "no come nada"."""

WEAK: Final = word_set(
    "anymore any some ever yet still already longer more again mehr noch schon ya más aún todavía plus encore"
    " 再 还 已经 了"
)
"""Words that come and go with a negation and alone make no statement."""

_OPPOSITES: Final = """
enable disable|enabled disabled|enabled off|disabled on|on off|open closed|open close|opened closed|open shut|up down
like hate|like dislike|love hate|enjoy hate|liked hated|loved hated|like loathe|love dislike|like avoid
allow forbid|allow deny|allowed forbidden|allow prohibit|allowed prohibited|permitted forbidden|permit forbid
allowed denied|allow block|allowed blocked|before after|start stop|started stopped|begin end|start end|first last
true false|yes no|with without|always never|everybody nobody|everyone nobody|all none|all no|every no|everything nothing
more less|more fewer|many few|most least|high low|higher lower|highest lowest|fast slow|faster slower|quickly slowly
big small|bigger smaller|large small|larger smaller|long short|longer shorter|old new|older newer|older younger
old young
hot cold|warm cold|good bad|better worse|best worst|early late|earlier later|left right|in out|inside outside|into out
above below|over under|to from|public private|internal external|active inactive|pass fail|passed failed|succeed fail
succeeded failed|increase decrease|increased decreased|rise fall|rose fell|grow shrink|add remove|added removed
accept reject|accepted rejected|accept refuse|approve reject|approved rejected|win lose|won lost|gain lose|buy sell
bought sold|arrive leave|arrived left|push pull|import export|include exclude|included excluded|lock unlock
locked unlocked|online offline|mandatory optional|required optional|required forbidden|easy hard|easy difficult
safe dangerous|cheap expensive|full empty|strong weak|light dark|light heavy|wet dry|alive dead|married single
married divorced|present absent|same different|same other|often rarely|often seldom|always rarely|usually rarely
remember forget|trust distrust|agree disagree|support oppose|for against|can cannot|must cannot|near far|morning evening
day night|increase reduce|raise lower|expand shrink|upgrade downgrade|visible hidden|show hide|manual automatic
manually automatically|synchronous asynchronous|read write|maximum minimum|max min|connected disconnected|tall short
< >|<= >=|≤ ≥|👍 👎|✅ ❌|✓ ✗|-> <-|→ ←
aktiviert deaktiviert|aktivieren deaktivieren|an aus|ein aus|offen geschlossen|geöffnet geschlossen|auf zu|mag hasst
liebt hasst|mag verabscheut|erlaubt verboten|gestattet verboten|vor nach|mit ohne|immer nie|alle keine|mehr weniger
hoch niedrig|höher niedriger|schnell langsam|schneller langsamer|groß klein|größer kleiner|lang kurz|länger kürzer
alt neu|alt jung|heiß kalt|warm kalt|gut schlecht|besser schlechter|früh spät|früher später|links rechts|innen außen
über unter|oben unten|öffentlich privat|wahr falsch|ja nein|aktiv inaktiv|erfolgreich fehlgeschlagen|gestiegen gefallen
steigt fällt|steigt sinkt|gewinnt verliert|gewonnen verloren|kauft verkauft|gekauft verkauft|angenommen abgelehnt
genehmigt abgelehnt|beginnt endet|startet stoppt|gestartet gestoppt|leicht schwer|einfach schwierig|billig teuer
voll leer
hell dunkel|sichtbar versteckt|optional verpflichtend|oft selten|gesperrt entsperrt|hinzugefügt entfernt|für gegen
bleibt geht|morgens abends|tagsüber nachts
activado desactivado|activada desactivada|activar desactivar|habilitado deshabilitado|habilitada deshabilitada
encendido apagado|encendida apagada|abierto cerrado|abierta cerrada|abre cierra|gusta disgusta|ama odia|adora odia
permitido prohibido|permitida prohibida|permite prohíbe|antes después|con sin|siempre nunca|todos ninguno|más menos
alto bajo|alta baja|rápido lento|rápida lenta|grande pequeño|grande pequeña|largo corto|larga corta|nuevo viejo
nueva vieja|caliente frío|bueno malo|buena mala|mejor peor|temprano tarde|izquierda derecha|dentro fuera|encima debajo
arriba abajo|público privado|pública privada|verdadero falso|sí no|activo inactivo|sube baja|subió bajó|gana pierde
ganó perdió|compra vende|compró vendió|aceptado rechazado|aprobado rechazado|aprobada rechazada|empieza termina
fácil difícil
barato caro|barata cara|lleno vacío|claro oscuro|visible oculto|a favor|obligatorio opcional|aumentó disminuyó
llega sale|llegó salió|entra sale|interno externo|gusta odia
启用 禁用|启用 停用|开启 关闭|打开 关闭|开 关|喜欢 讨厌|喜欢 厌恶|爱 恨|允许 禁止|可以 不可|之前 之后|以前 以后|前 后
有 没|总是 从不|都 没|多 少|高 低|快 慢|大 小|长 短|新 旧|热 冷|好 坏|早 晚|左 右|内 外|里 外|上 下|公开 私有
真 假|成功 失败|增加 减少|上升 下降|上涨 下跌|赢 输|买 卖|接受 拒绝|批准 拒绝|同意 反对|通过 拒绝|开始 结束
容易 困难|便宜 贵|满 空|亮 暗|显示 隐藏|在线 离线|进 出|来 去|必须 禁止|安全 危险|支持 反对|经常 很少
添加 删除|最大 最小
"""
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "des", "de", "anti", "mis", "un-", "non-")
_SHORTEST_NEGATED: Final = 4


def _pairs() -> frozenset[frozenset[str]]:
    pairs = (pair for line in fold(_OPPOSITES).strip().splitlines() for pair in line.split("|"))
    return frozenset(frozenset(pair.split()) for pair in pairs)


_PAIRS: Final = _pairs()


def opposites(a: str, b: str) -> bool:
    """Returns whether two words in lower case are opposites: open and closed, safe and unsafe, 开 and 关."""
    a, b = fold(a), fold(b)
    if frozenset((a, b)) in _PAIRS:
        return True
    short, long = sorted((a, b), key=len)
    if long in (f"不{short}", f"没{short}", f"无{short}"):
        return True
    return len(short) >= _SHORTEST_NEGATED and any(long == prefix + short for prefix in _PREFIXES)
