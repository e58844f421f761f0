# 리그: 프로그램끼리 겨루는 순위전. 오버레이와 보드에 보여요. 프로그램 이름은 이 글 옆에 따로 나와요.

league-title = 리그
league-live = 지금 대결 중
league-final = 최종 레이팅
league-next = 다음
league-won = 승리
league-draw = 무승부
league-house = 하우스
league-champion = 최종 1위
league-results = 최근 대결
league-honour = 명예만 걸고 겨뤄요. 판돈은 없어요.
league-round = { $duels ->
    [0] { $round }라운드
   *[other] { $round }라운드, 대결 { $duels }번
}
